/** Repeats requests that are refused because the profile or pool is in use. */
import { operations, type Resource } from '../../../generated/operations.js';
import { status } from '../../engine/outcome/read.js';
import { longestPollMs } from '../../engine/send/clock.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import type { Session } from '../session.js';

/** Resources that others may use meanwhile. */
const shared: readonly (Resource | null)[] = ['profile', 'pool'];
const firstUseMs = 200;
/** How long to wait for others at most: longer use is not worth waiting for. Executions of the run are waited for. */
const longestUseMs = 20_000;
/** How often a request with another key is sent again: a service may look first at what is in use. */
const otherKeyTries = 3;

/** Sends a request, again and again while what it is about is in use. */
export async function unlessInUse(
  driver: Driver,
  { clock, executions, signal }: Session,
  send: (ask: RequestSpec) => Promise<Exchange>,
  ask: RequestSpec,
): Promise<Exchange> {
  const { subject } = operations[ask.operation];
  const isOwnKey = (ask.credential ?? 'primary') === 'primary';
  const giveUp = clock.now() + Math.min(driver.patienceMs, longestUseMs);
  let exchange = await send(ask);
  // What should be refused anyway needs no wait.
  if (ask.evenIfStopping || !shared.includes(subject) || (isOwnKey && ask.probe)) return exchange;
  for (
    let [pause, tries] = [firstUseMs, 0];
    [409, 423].includes(status(exchange) ?? 0);
    [pause, tries] = [Math.min(pause * 2, longestPollMs), tries + 1]
  ) {
    const isOver = isOwnKey ? clock.now() + pause > giveUp && !executions.isUsing(ask.id) : tries >= otherKeyTries;
    if (isOver || signal.aborted) return exchange;
    driver.reportProgress(`waits for the ${subject}, which may be in use`);
    await driver.pause(pause);
    const again = await send(ask);
    driver.exclude(exchange);
    exchange = again;
  }
  return exchange;
}
