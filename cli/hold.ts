import { hold, type Release } from '../conformance/drive/journal/lock.js';
import { visible } from '../conformance/report/text.js';
import { stateFolder } from '../conformance/settings/state-folder.js';
import { placeOf } from '../conformance/settings/target/base-url.js';
import type { Context } from './context.js';
import { BusyError } from './errors.js';

/**
 * Keeps other runs of this user from what this one would change, and says so where it waits for one. Throws a BusyError where
 * the signal ends the wait. Undefined where it cannot be told.
 */
export async function holdThings(
  baseUrl: string,
  ids: readonly string[],
  end: AbortSignal,
  { stderr, env }: Context,
): Promise<Release | undefined> {
  const say = (text: string) => stderr.write(`workflow-contract: ${visible(text)}\n`);
  try {
    const held = await hold(
      stateFolder(env),
      ids.map((id) => `${placeOf(baseUrl)} ${id}`),
      end,
      (holder) => say(`another run uses what this one would change (${holder}): this one waits until it is over.`),
    );
    if (held) return held;
  } catch (error) {
    say(
      `whether another run uses the same things cannot be told: ${(error as Error).message}. XDG_STATE_HOME names another folder.`,
    );
    return undefined;
  }
  throw new BusyError('another run still uses what this one would change: nothing was sent.');
}
