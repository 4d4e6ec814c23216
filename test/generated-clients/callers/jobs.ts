// What certify asks of a caller, whichever client does it.
import { setTimeout as sleep } from 'node:timers/promises';

export const given = process.env as Record<string, string>;

/** What a gateway says of a start that may have taken effect. */
export const lost: readonly number[] = [502, 503, 504];
const ends: readonly string[] = ['completed', 'failed', 'cancelled'];

interface Client {
  /** Undefined where it may have started. */
  start(): Promise<{ executionId: string; status: string } | undefined>;
  /** Undefined where it can be read later. */
  read(executionId: string): Promise<{ status: string } | undefined>;
  isMissing(error: unknown): boolean;
  lookAfter(): Promise<string | undefined>;
  miss(): Promise<string>;
}

export async function play({ start, read, isMissing, lookAfter, miss }: Client): Promise<void> {
  const follow = async (executionId: string): Promise<string> => {
    for (;;) {
      const execution = await read(executionId);
      if (execution && ends.includes(execution.status)) return execution.status;
      await sleep(200);
    }
  };
  const run = async (): Promise<string | undefined> => {
    const started = await start();
    if (started) return ends.includes(started.status) ? started.status : follow(started.executionId);
    try {
      // It may have started: it is looked up before it is started again.
      return await follow(given.CERTIFY_EXECUTION_ID);
    } catch (error) {
      if (!isMissing(error)) throw error;
      const again = await start();
      return again && follow(again.executionId);
    }
  };
  if (given.CERTIFY_JOB === 'profile') console.log('copied', await lookAfter());
  else if (given.CERTIFY_JOB === 'missing') console.log('refused', await miss());
  else console.log('ended', await run());
}
