/** Starts executions in every way that a conformant service accepts, and follows each to its end. */

import type { ExecuteRequest } from '../../../generated/types.js';
import { mayHaveStarted, outcomeOf } from '../../engine/outcome/outcome.js';
import { accepted, type Fields, isFields, requestFields, startedId } from '../../engine/outcome/read.js';
import { sameId } from '../../engine/rule/values.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Scenario } from '../driver.js';
import { free, ifFull, isQueued } from '../executions/view.js';
import { underOldNames } from './asked.js';
import { hardValues, marked, plainWords, richBody, shortSoftTimeout, softTimeout } from './requests.js';
import type { StartSpec } from './starting.js';

// Fields that starts combine: each is accepted by itself.

/** What any start may ask for, with values that ask for nothing. */
export const asksNothing: Fields = {
  head: false,
  executionOptions: {},
  // Temp files may not be queued, but there are none.
  ...ifFull('queue'),
  tempFiles: [],
} satisfies ExecuteRequest;

/** Fields that any start may have, all of them empty. */
const emptyFields: Fields = { ...asksNothing, ...free({}, {}) };

/** What is combined with a group (asynchronous) or a profile (synchronous). None of it excludes another part. */
const besideGroup = (driver: Driver): Fields =>
  ({
    ...(driver.facts.publishedVersion !== undefined && { version: driver.facts.publishedVersion }),
    executionOptions: softTimeout(driver, driver.facts.workflows.completes),
    ...ifFull('queue'),
  }) satisfies ExecuteRequest;
export const besideProfile = (driver: Driver): Fields =>
  ({
    head: true,
    // Another one than earlier starts have: a later start without one may show that of the last.
    executionOptions: shortSoftTimeout(driver, driver.facts.workflows.completes),
    ...ifFull('reject'),
    ...(driver.facts.tempFile && { tempFiles: [driver.facts.tempFile] }),
  }) satisfies ExecuteRequest;

/**
 * Starts an execution that asks for several things which are accepted one by one, and follows it to its end. If it is
 * refused, a plain start shows whether there is room; then it is started again. If it lacks room, it waits for that.
 */
export async function startCombined(driver: Driver, ask: StartSpec & { readonly body: Fields }): Promise<Exchange> {
  const first = await followEnd(driver, driver.startOnce(ask));
  if (accepted(first) || !driver.facts.stateful) return first;
  const isForRoom = outcomeOf(first).kind === 'temporary';
  if (!isForRoom) await startPlain(driver, ask);
  const again = { ...ask, repeats: [first] };
  return followEnd(driver, isForRoom ? driver.start(again) : driver.startOnce(again));
}

/** Starts the same without what it asks for. */
async function startPlain(driver: Driver, ask: StartSpec & { readonly body: Fields }): Promise<void> {
  const { profileId, profileGroupId, timeoutSeconds, executionOptions: options } = ask.body;
  const step = `${ask.step}-plain`;
  // A workflow in variant mode does not run without its key.
  const variant = isFields(options) && 'variantKey' in options && { executionOptions: options };
  const plain = { ...marked(driver, step), profileId, profileGroupId, timeoutSeconds, ...variant };
  await followEnd(driver, driver.startOnce({ ...ask, step, body: plain }));
}

// Checks whether a start that asks to queue begins at once while its group has a profile to spare.

/** Once may be chance: others may use the group. */
const rounds = ['once', 'again'];
const perRound = 2;

/**
 * If a start for the group was queued, asks again while nothing else of the run goes on: before, the run itself may have
 * filled the organization. If that is queued too, a start that would not wait shows whether there was room.
 */
export const groupAlone = (after: readonly Scenario[]) =>
  ({
    id: 'group-alone',
    sends: ['execute', 'getExecution'],
    effect: 'execute',
    needs: ['profileGroup', 'workflows.completes'],
    after: after.map(({ id }) => id),
    steps: {
      '*': ['execute-initial-status'],
    },
    async run(driver): Promise<void> {
      const { profileGroup: group } = driver.facts;
      if (!driver.sent.some((one) => isQueued(one) && sameId(requestFields(one).profileGroupId, group))) return;
      for (const round of rounds)
        if (driver.budget.executionsLeft < perRound || !(await isQueuedThoughFree(driver, group, round))) return;
    },
  }) as const satisfies Scenario;

async function isQueuedThoughFree(driver: Driver, group: string | undefined, round: string): Promise<boolean> {
  const start = (step: string, then: 'queue' | 'reject') =>
    driver.startOnce({
      step,
      operation: 'execute',
      id: driver.id(driver.facts.workflows.completes),
      body: { profileGroupId: group, ...ifFull(then), ...marked(driver, step) },
      mayBeAtCapacity: true,
      unjudged: then === 'reject',
    });
  const queued = await start(`queue-${round}`, 'queue');
  const rival = isQueued(queued) ? await start(`at-once-${round}`, 'reject') : undefined;
  for (const one of [queued, rival]) if (one) await driver.followStarted(one);
  return rival !== undefined && accepted(rival);
}

export const start: Scenario = {
  id: 'start',
  sends: ['execute', 'getExecution', 'listExecutionFiles'],
  effect: 'execute',
  needs: ['workflows.completes'],
  stateless: true,
  // Those with the profile run one after the other: a profile may be in use by one execution at a time.
  run: (driver) => allOrThrow([withProfile(driver), withoutProfile(driver), withGroup(driver), withTempFile(driver)]),
};

async function withProfile(driver: Driver): Promise<void> {
  const { profile } = driver.facts;
  if (!driver.mayStart('start/rich')) return;
  const body = richBody(driver, 'rich');
  const rich = await startAndFollow(driver, 'rich', body);
  if (rich !== undefined) await afterEnd(driver, rich);
  // It may have been refused for any of its fields.
  else
    for (const field of ['version', 'executionOptions'])
      if (body[field] !== undefined)
        await startAndFollow(driver, field, { [field]: body[field], ...marked(driver, field) });
  if (driver.isDeclared(profile) && driver.mayStart('start/deprecated-profile'))
    await startAndFollow(driver, 'deprecated-profile', {
      ...underOldNames({
        ...(rich !== undefined && body),
        profileId: driver.id(profile),
        ...plainWords(driver, 'deprecated-profile'),
      }),
    });
}

async function withoutProfile(driver: Driver): Promise<void> {
  // Twice at the same time: equal starts must give two executions.
  const equal = marked(driver, 'equal');
  const { tempFile } = driver.facts;
  const head = { head: true, ...marked(driver, 'head') };
  const withFile = { ...head, ...(tempFile && { tempFiles: [tempFile] }) };
  const startHead = async () =>
    startedId(await startCombined(driver, ask(driver, 'head', withFile))) ??
    (tempFile && startAndFollow(driver, 'head', head));
  await allOrThrow([
    driver.mayStart('start/head') && startHead().then((id) => list(driver, id)),
    driver.mayStart('start/hard-values') && startHard(driver),
    ...(['equal-1', 'equal-2'] as const).map(
      (step) =>
        driver.mayStart(`start/${step}`) &&
        followEnd(driver, driver.start({ ...ask(driver, step, equal), withoutSpacing: true })),
    ),
    // All fields are optional.
    ...allOptional(driver).map(
      ([step, body]) => driver.mayStart(`start/${step}`) && startCombined(driver, ask(driver, step, body)),
    ),
  ]);
}

const allOptional = (driver: Driver) =>
  [
    ['nothing', {}],
    ['empty-fields', emptyFields],
    ['plain-words', plainWords(driver, 'plain-words')],
  ] as const;

async function withGroup(driver: Driver): Promise<void> {
  const { profileGroup } = driver.facts;
  if (!driver.isDeclared(profileGroup)) return;
  const group = driver.id(profileGroup);
  // It may queue, but need not: `group-alone` asks again if it did.
  if (driver.mayStart('start/group'))
    await startAndFollow(driver, 'group', {
      profileGroupId: group,
      ...ifFull('queue'),
      ...marked(driver, 'group'),
    });
  if (driver.mayStart('start/combined')) {
    const body = { profileGroupId: group, ...besideGroup(driver), ...plainWords(driver, 'combined') };
    await list(driver, startedId(await startCombined(driver, ask(driver, 'combined', body))));
  }
  if (driver.mayStart('start/deprecated-group'))
    await startAndFollow(driver, 'deprecated-group', {
      ...underOldNames({ profileGroupId: group }),
      ...marked(driver, 'deprecated-group'),
    });
}

type TempFile = NonNullable<Facts['tempFile']>;

async function withTempFile(driver: Driver): Promise<void> {
  const { tempFile, publishedVersion: version } = driver.facts;
  if (!tempFile) return;
  if (driver.mayStart('start/temp-file')) await startWithFile(driver, tempFile, version);
  if (!driver.mayStart('start/queue-temp-file')) return;
  // The interface does not say whether it is refused while there is capacity: either answer is observed.
  const body = { tempFiles: [tempFile], ...ifFull('queue'), ...marked(driver, 'queue-temp-file') };
  const queued = await driver.startOnce({
    ...ask(driver, 'queue-temp-file', body),
    observes: ['queue-with-temp-files'],
  });
  await driver.followStarted(queued);
}

async function startWithFile(driver: Driver, tempFile: TempFile, version: number | undefined): Promise<void> {
  const ofVersion = { tempFiles: [tempFile], version, ...marked(driver, 'temp-file') };
  const withFile =
    startedId(await startCombined(driver, ask(driver, 'temp-file', ofVersion))) ??
    (await startAndFollow(driver, 'temp-file-alone', { tempFiles: [tempFile], ...marked(driver, 'temp-file-alone') }));
  // The temp file may be listed among its files.
  if (withFile !== undefined) await afterEnd(driver, withFile);
}

const ask = (driver: Driver, step: string, body: Fields) => ({
  step,
  operation: 'execute' as const,
  id: driver.id(driver.facts.workflows.completes),
  body,
});

/** Starts an execution, and follows it to its end. The id if both succeed. */
async function startAndFollow(driver: Driver, step: string, body: Fields): Promise<string | undefined> {
  const started = await driver.start(ask(driver, step, body));
  return (await driver.followStarted(started)) ? startedId(started) : undefined;
}

/** Starts an execution with hard values. Limits are not shown, so a refusal violates nothing: milder ones follow. */
async function startHard(driver: Driver): Promise<void> {
  const step = 'hard-values';
  for (const risk of [2, 1, 0]) {
    const asked = ask(driver, step, hardValues(driver, step, risk));
    const started = await followEnd(driver, driver.startOnce({ ...asked, ifRefused: 'unjudged' }));
    if (startedId(started) !== undefined || mayHaveStarted(started)) return;
  }
}

/** Follows what a start began, if anything, to its end. */
export async function followEnd(driver: Driver, sent: Promise<Exchange>): Promise<Exchange> {
  const started = await sent;
  await driver.followStarted(started);
  return started;
}

/** Files may be listed for some kinds of starts only, so list those of several kinds. */
async function list(driver: Driver, executionId: string | undefined): Promise<void> {
  if (executionId !== undefined) await driver.send({ step: 'list', operation: 'listExecutionFiles', id: executionId });
}

/** Reads on after the end, when nothing may change any more, and lists the files. */
export async function afterEnd(driver: Driver, executionId: string): Promise<void> {
  for (const pauseMs of [0, 150]) {
    await driver.pause(pauseMs);
    await driver.send({ step: 'read-after-end', operation: 'getExecution', id: executionId });
  }
  await driver.send({ step: 'list-after-end', operation: 'listExecutionFiles', id: executionId });
}
