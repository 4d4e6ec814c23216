import { type Driver, together } from './driver.js';
import { Halt } from './session.js';

/**
 * Looks once more at every execution of the run: at those that were not seen to end, so that what is left behind is told
 * as it is, and at the others, since an end is for good.
 */
export async function sweep(driver: Driver, executions: ReadonlySet<string>): Promise<void> {
  try {
    await together([...executions].map((id) => driver.send({ step: 'read', operation: 'getExecution', id })));
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
}
