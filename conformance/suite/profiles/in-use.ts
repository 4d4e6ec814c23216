/** Repeats requests that may be refused because somebody else uses the profile or pool. */
import { operations, type Resource } from '../../../generated/operations.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, status } from '../../engine/outcome/read.js';
import { longestPollMs } from '../../engine/send/clock.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import type { Session } from '../session.js';
import { isNoop } from './settings.js';

/** Resources that others may use meanwhile. */
const shared: readonly (Resource | null)[] = ['profile', 'pool'];
const firstUseMs = 200;
/** How long to wait for others at most: longer use is not worth waiting for. Executions of the run are waited for. */
const longestUseMs = 20_000;

/**
 * Sends a request. If others may be using the profile, waits until it is free and sends it again. If the profile
 * meanwhile accepts an update that changes nothing, the refusal was about the request itself.
 */
export async function unlessInUse(
  driver: Driver,
  { clock, executions, signal, snapshots }: Session,
  /** Sends without waiting. */
  send: (ask: RequestSpec) => Promise<Exchange>,
  ask: RequestSpec,
): Promise<Exchange> {
  const first = await send(ask);
  const opened = snapshots.of(ask.id);
  const isLook = isNoop(ask.body);
  if (ask.evenIfStopping) return first;
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
      if ((clock.now() + pause > giveUp && !executions.isUsing(ask.id)) || signal.aborted) return exchange;
      if (look !== exchange) driver.exclude(look);
      driver.reportProgress(`waits for the ${subject}, which may be in use`);
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

/** Repeats a request with another key while the profile is busy, which may be checked before the key. */
async function unlessBusy(driver: Driver, first: Exchange, send: () => Promise<Exchange>): Promise<Exchange> {
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

/** Whether a refusal may be due to somebody else's use, for which the interface shows no status. */
function mayBeInUse(
  exchange: Exchange,
  { probe, unjudged, observes, mayBeRefused, body }: RequestSpec,
  isOpened: boolean,
): boolean {
  const code = status(exchange);
  // A probe should be refused anyway, so there is no need to wait.
  if (probe) return false;
  if (isBusy(exchange)) return true;
  const isAsked = unjudged || observes !== undefined || mayBeRefused;
  return code === 400 && isOpened && !isAsked && !isLost(exchange) && body !== undefined;
}
