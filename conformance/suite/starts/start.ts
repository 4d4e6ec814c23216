/** Starts executions in every way that a conformant service accepts, and follows each to its end. */

import { accepted, type Fields, startedId } from '../../engine/outcome/read.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Journey } from '../driver.js';
import { ifFull } from '../executions/view.js';
import { besideGroup, emptyFields, startCombined } from './combined.js';
import { underOldNames } from './names.js';
import { hardValues, marked, plainWords, richBody } from './requests.js';

export const start: Journey = {
  id: 'start',
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
        ...marked(driver, 'deprecated-profile'),
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
const startAndFollow = (driver: Driver, step: string, body: Fields): Promise<string | undefined> =>
  followEnd(driver, driver.start(ask(driver, step, body)));

/** Starts an execution with hard values. Limits are not shown, so a refusal breaks nothing; then with those in common limits. */
async function startHard(driver: Driver): Promise<void> {
  const step = 'hard-values';
  for (const isRisky of [true, false]) {
    const started = await driver.startUnlessRefused(ask(driver, step, hardValues(driver, step, isRisky)));
    if (accepted(started)) {
      await driver.followStarted(started);
      return;
    }
    driver.markUnjudged(started);
  }
}

async function followEnd(driver: Driver, sent: Promise<Exchange>): Promise<string | undefined> {
  const started = await sent;
  return (await driver.followStarted(started)) ? startedId(started) : undefined;
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
