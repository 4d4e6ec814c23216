import { type Talk, together } from './journey.js';
import { Halt } from './session.js';

/** Looks once more at executions that were not seen to end, so that what is left behind is told as it is. */
export async function sweep(talk: Talk, running: ReadonlySet<string>): Promise<void> {
  try {
    await together([...running].map((id) => talk.send({ step: 'read', operation: 'getExecution', id })));
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
}
