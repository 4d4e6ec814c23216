/** Synchronous starts, with each kind of wait. */

import type { ExecuteRequest } from '../../../generated/types.js';
import { accepted, type Fields, requestBody, startedId } from '../../engine/outcome/read.js';
import { equal } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Scenario } from '../driver.js';
import { ifFull } from '../executions/view.js';
import { leastWaitSeconds, longestWaitSeconds } from '../operations.js';
import { underOldNames } from '../starts/asked.js';
import { marked, plainWords, richBody, shortSoftTimeout, softTimeout } from '../starts/requests.js';
import { asksNothing, besideProfile, followEnd, startCombined } from '../starts/start.js';

/** Waits that are long enough for most runs, but are not at a bound. */
const between = Array.from({ length: 14 }, (_, index) => longestWaitSeconds - 1 - index).filter(
  (seconds) => seconds > leastWaitSeconds,
);

/** Files are listed by a separate process, some time after they were written. */
const untilListedMs = 500;

/** How often a start is sent again if answers get lost. */
const turns = 3;

/** Synchronous starts of the workflow that completes. They use the profile and group of `start`, and come after it. */
export const startSync: Scenario = {
  id: 'start-sync',
  sends: ['executeSync', 'getExecution'],
  effect: 'execute',
  needs: ['workflows.completes'],
  after: ['start'],
  stateless: true,
  // Those with the profile run one after the other: a profile may be in use by one execution at a time.
  run: (driver) => allOrThrow([withProfile(driver), withoutProfile(driver)]),
};

async function withProfile(driver: Driver): Promise<void> {
  const { profile, workflows } = driver.facts;
  if (driver.mayStart('start-sync/sync-rich')) {
    const first = await startSyncAndFollow(driver, 'sync-rich', workflows.completes, {
      ...richBody(driver, 'sync-rich'),
      timeoutSeconds: longestWaitSeconds,
    });
    if (driver.mayStart('start-sync/sync-again')) await again(driver, first, 'sync-again', workflows.completes);
  }
  if (!driver.isDeclared(profile)) return;
  const more = besideProfile(driver);
  const combined = driver.mayStart('start-sync/sync-combined') ? await startWithAll(driver, more) : undefined;
  if (!driver.mayStart('start-sync/sync-deprecated')) return;
  await startSyncAndFollow(driver, 'sync-deprecated', workflows.completes, {
    ...(combined && accepted(combined) && more),
    ...underOldNames({ profileId: driver.id(profile), inputs: marked(driver, 'sync-deprecated').inputs }),
  });
}

function startWithAll(driver: Driver, more: Fields): Promise<Exchange> {
  const { profile, workflows } = driver.facts;
  const body = {
    profileId: driver.id(profile),
    ...more,
    ...plainWords(driver, 'sync-combined'),
    timeoutSeconds: longestWaitSeconds,
  };
  return startCombined(driver, ask(driver, 'sync-combined', workflows.completes, body));
}

/** Sends the same start again. If its answer is lost, another one is sent instead, which must then be repeated. */
async function again(driver: Driver, first: Exchange, step: string, workflow: string | undefined): Promise<void> {
  let before = first;
  for (let turn = 0; turn < turns; turn += 1) {
    const body = requestBody(before) ?? {};
    const one = await startSyncAndFollow(driver, step, workflow, body);
    if (!accepted(one) || equal(requestBody(one), body)) return;
    before = one;
  }
}

/** Asks at once for what the asynchronous starts ask for one by one: the body is the same. */
async function withoutProfile(driver: Driver): Promise<void> {
  const { profileGroup, tempFile, workflows } = driver.facts;
  const group = driver.isDeclared(profileGroup) ? driver.id(profileGroup) : undefined;
  const asked: Fields = {
    head: true,
    ...(group !== undefined && { profileGroupId: group }),
    ...(tempFile && { tempFiles: [tempFile] }),
    executionOptions: shortSoftTimeout(driver, workflows.completes),
  } satisfies ExecuteRequest;
  const asking = (step: string, body: Fields) =>
    ask(driver, step, workflows.completes, { timeoutSeconds: longestWaitSeconds, ...body, ...marked(driver, step) });
  const begin = (step: string, body: Fields) => followEnd(driver, driver.start(asking(step, body)));
  if (driver.mayStart('start-sync/sync-all')) {
    const all = await startCombined(driver, asking('sync-all', asked));
    const withFile = driver.lastAnswer('start/temp-file');
    // It may have been refused for any of its fields.
    for (const field of accepted(all) ? [] : Object.keys(asked))
      await begin(`sync-${field}`, {
        [field]: asked[field],
        // With the same other fields as the asynchronous starts.
        ...(field === 'profileGroupId' && ifFull('queue')),
        ...(field === 'tempFiles' && withFile && accepted(withFile) && { version: driver.facts.publishedVersion }),
      });
  }
  if (group !== undefined && driver.mayStart('start-sync/sync-deprecated-group'))
    await begin('sync-deprecated-group', {
      ...underOldNames({ profileGroupId: group }),
      timeoutSeconds: driver.constant('sync-deprecated-group').pick(between),
    });
}

/** Waits of the synchronous call that are shorter than the run, which takes longer than the shortest. */
export const syncWaits: Scenario = {
  id: 'sync-waits',
  sends: ['executeSync', 'getExecution'],
  effect: 'execute',
  needs: ['workflows.slow'],
  stateless: true,
  async run(driver): Promise<void> {
    const { tempFile, workflows } = driver.facts;
    // The run goes on after the answer, whatever it was given.
    const shortest = {
      ...marked(driver, 'sync-one-second'),
      executionOptions: softTimeout(driver, workflows.slow),
      ...(tempFile && { tempFiles: [tempFile] }),
      timeoutSeconds: leastWaitSeconds,
    };
    const twoSeconds = { head: true, timeoutSeconds: leastWaitSeconds + 1 };
    // Twice at the same time: equal calls must give two executions.
    const oneOfTwo = (step: 'sync-one-second' | 'sync-one-second-again') => {
      if (!driver.mayStart(`sync-waits/${step}`)) return;
      return startCombined(driver, { ...ask(driver, step, workflows.slow, shortest), withoutSpacing: true });
    };
    const [first, second] = await allOrThrow([
      oneOfTwo('sync-one-second'),
      oneOfTwo('sync-one-second-again'),
      driver.mayStart('sync-waits/sync-default') && underEitherName(driver, workflows.slow),
      // A service may get the bounds right, and waits between them wrong.
      driver.mayStart('sync-waits/sync-two-seconds') &&
        startCombined(driver, ask(driver, 'sync-two-seconds', workflows.slow, twoSeconds)),
    ]);
    // What is sent again after a loss is another start.
    if (first && second && [first, second].every(accepted) && !equal(requestBody(first), requestBody(second)))
      await again(driver, first, 'sync-one-second-again', workflows.slow);
  },
};

/** A call without a wait of its own, with its inputs under their old name; under the present one, if that is refused. */
async function underEitherName(driver: Driver, workflow: string | undefined): Promise<void> {
  const body = marked(driver, 'sync-default');
  for (const named of [underOldNames(body), body])
    if (accepted(await startSyncAndFollow(driver, 'sync-default', workflow, named))) return;
}

/** A run that uses the profile, and outlasts its call. The profile is no longer changed by then. */
export const syncWithProfile: Scenario = {
  id: 'sync-with-profile',
  begins: 'sync-with-profile/sync-half',
  sends: ['executeSync', 'getExecution', 'listExecutionFiles'],
  effect: 'execute',
  needs: ['workflows.slow', 'profile'],
  after: ['start', 'start-sync', 'profile'],
  stateless: true,
  async run(driver): Promise<void> {
    const { profile, workflows } = driver.facts;
    // Other calls are shorter than the run by most of it, or longer. This one is as long as half of it.
    const halfSeconds = Math.floor((driver.executions.longestOf(workflows.slow) ?? 0) / 2000);
    const timeoutSeconds = Math.min(Math.max(halfSeconds, leastWaitSeconds), Math.floor(longestWaitSeconds / 2));
    // A start that asks to queue is not queued if there is room, with a profile as with a group. It has no inputs.
    const body = { ...asksNothing, profileId: driver.id(profile), timeoutSeconds };
    const started = await startCombined(driver, ask(driver, 'sync-half', workflows.slow, body));
    const id = startedId(started);
    if (id === undefined) return;
    // Other runs of the workflow and profile were given a file, but not this one.
    await driver.pause(untilListedMs);
    await driver.send({ step: 'list', operation: 'listExecutionFiles', id });
  },
};

/** Starts, follows the execution to its end, and resolves to the answer. */
async function startSyncAndFollow(
  driver: Driver,
  step: string,
  workflow: string | undefined,
  body: Fields,
): Promise<Exchange> {
  return followEnd(driver, driver.start(ask(driver, step, workflow, body)));
}

const ask = (driver: Driver, step: string, workflow: string | undefined, body: Fields) => ({
  step,
  operation: 'executeSync' as const,
  id: driver.id(workflow),
  body,
});
