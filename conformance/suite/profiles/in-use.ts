/** Profiles and pools that others use: what they refuse meanwhile is asked again. */
import { operations, type Resource } from '../../../generated/operations.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, status } from '../../engine/outcome/read.js';
import { longestPollMs } from '../../engine/send/clock.js';
import type { DriverPort, RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Session } from '../session.js';
import { isIdle } from './settings.js';

/** What somebody else may use meanwhile. */
const shared: readonly (Resource | null)[] = ['profile', 'pool'];
const firstUseMs = 200;
/** Nobody uses one for longer than a run can wait for. */
const longestUseMs = 20_000;

/**
 * Sends; waits for a profile that others use to be free, and asks again: it may refuse whatever it is asked then. What it refuses
 * when it takes an update that changes nothing, it refuses for what was asked.
 */
export async function unlessInUse(
  driver: DriverPort,
  { clock, signal, snapshots }: Session,
  /** Sends without waiting. */
  send: (ask: RequestSpec) => Promise<Exchange>,
  ask: RequestSpec,
): Promise<Exchange> {
  const first = await send(ask);
  const opened = snapshots.of(ask.id);
  const isLook = isIdle(ask.body);
  if (ask.always) return first;
  if ((ask.credential ?? 'primary') !== 'primary') return unlessBusy(driver, first, () => send(ask));
  const { subject } = operations[ask.operation];
  if (!shared.includes(subject)) return first;
  const giveUp = clock.now() + Math.min(driver.patienceMs, longestUseMs);
  let exchange = first;
  let isAskedAgain = false;
  for (
    let pause = firstUseMs;
    mayBeInUse(exchange, ask, opened !== undefined);
    pause = Math.min(pause * 2, longestPollMs)
  ) {
    const look =
      isLook || !opened
        ? exchange
        : await send({ step: 'look', operation: 'updateProfile', id: ask.id, body: opened.noop });
    const isFree = accepted(look);
    if (isFree && isAskedAgain) return exchange;
    if (!isFree) {
      if (clock.now() + pause > giveUp || signal.aborted) return exchange;
      if (look !== exchange) driver.exclude(look);
      driver.says(`waits for the ${subject}, which somebody else may use`);
      await driver.pause(pause);
      if (!isLook && opened) continue;
    }
    const again = await send(ask);
    isAskedAgain = true;
    if (status(again) === status(exchange) && isFree) return exchange;
    driver.exclude(exchange);
    exchange = again;
  }
  return exchange;
}

/** What is asked with another key may be refused before anybody looks at the key: it is asked again, some times. */
async function unlessBusy(driver: DriverPort, first: Exchange, send: () => Promise<Exchange>): Promise<Exchange> {
  let exchange = first;
  for (let left = busyTries; isBusy(exchange) && left > 0; left -= 1) {
    await driver.pause(firstUseMs);
    const again = await send();
    driver.exclude(exchange);
    exchange = again;
  }
  return exchange;
}

const busyTries = 3;

const isBusy = (exchange: Exchange): boolean => [409, 423].includes(status(exchange) ?? 0);

/** Whether a refusal may be for want of what somebody else uses, which the interface shows no status for. */
function mayBeInUse(
  exchange: Exchange,
  { probe, unjudged, observes, mayBeRefused, body }: RequestSpec,
  isOpened: boolean,
): boolean {
  const code = status(exchange);
  // What is to be refused was refused: a look could only show more than was asked for.
  if (probe) return false;
  if (isBusy(exchange)) return true;
  const isAsked = unjudged || observes !== undefined || mayBeRefused;
  return code === 400 && isOpened && !isAsked && !isLost(exchange) && body !== undefined;
}
