import { isTerminal } from '../../../generated/lifecycle.js';
import { type OperationId, operationIds } from '../../../generated/operations.js';
import type { RuleId } from '../../../generated/rules.js';
import { hasRightKey, isExcluded, isProbe, keyOf } from '../../engine/outcome/mark.js';
import { hasValidRequestBody, outcomeOf } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, hasMalformedId, refused, requestBody, status } from '../../engine/outcome/read.js';
import { readings } from '../../engine/outcome/readings.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import { asText, has } from '../../engine/rule/values.js';
import { findings } from '../../engine/rule/verdicts.js';
import { Halt } from '../../engine/scenario/schedule.js';
import { firstPollMs, nextInterval } from '../../engine/send/clock.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Steps } from '../driver.js';
import { judges } from '../judges.js';
import { listsFiles } from '../operations.js';

export const sweepSteps = {
  'run-deleted': ['deleted-pool-cannot-run'],
  unknown: ['unknown-execution-files-is-404'],
  list: ['files-are-grouped', 'files-stay-listed'],
  read: ['terminal-is-final', 'terminal-record-is-fixed'],
  profile: ['update-is-partial'],
  '*': [],
} as const satisfies Steps;

/**
 * Looks once more at all that the run touched: executions (have others ended, are ends final?), their files, the
 * profiles that it changed, and the pool that was deleted. What must be refused whatever was sent before must be still.
 */
export async function sweep(driver: Driver): Promise<void> {
  try {
    await allOrThrow([
      ...[...driver.executions.started].map((id) => readEnd(driver, id)),
      ...[...driver.executions.started]
        .filter((id) => !isUnlisted(id, driver.sent))
        .map((id) => driver.send({ step: 'list', operation: 'listExecutionFiles', id })),
      ...profiles(driver),
      unknown(driver),
      pool(driver),
    ]);
    await allOrThrow([...withoutRecording(driver).map((id) => askForRecording(driver, id)), untilVisible(driver)]);
    await allOrThrow(operationIds.flatMap((operation) => refusedAgain(driver, operation)));
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
}

/** Reads again after a while if a replica may be behind with an end that was seen, or did not find the execution. */
async function readEnd(driver: Driver, id: string): Promise<void> {
  const read = () => driver.send({ step: 'read', operation: 'getExecution', id });
  const first = await read();
  const shown = answerBody(first)?.status;
  const isBehind = driver.executions.hasEnded(id) && shown !== undefined && !isTerminal(asText(shown));
  if (!isBehind && (status(first) !== 404 || !driver.facts.stateful)) return;
  await driver.pause(replicaLagMs);
  await read();
}

/** One for each kind of end, at most: others of the kind would show no more. */
const maxRequests = 3;

/** Executions that were seen with a live view, but have no recording after their end. */
function withoutRecording(driver: Driver): string[] {
  const ends = new Map<string, string>();
  const traces = new Map(driver.evidence.traces.map((trace) => [trace.executionId, trace]));
  for (const id of driver.facts.stateful ? driver.executions.started : []) {
    const seen = readings(traces.get(id)?.readings ?? []);
    const last = seen.at(-1);
    const hadView = seen.some(({ execution, status }) => status === 'running' && Boolean(execution.liveViewUrl));
    if (last && hadView && isTerminal(last.status) && !has(last.execution, 'recordingUrl')) ends.set(last.status, id);
  }
  return [...ends.values()].slice(0, maxRequests);
}

/** A recording may take a while to appear. */
const askForRecording = (driver: Driver, id: string): Promise<unknown> =>
  driver.pollUntil({ step: 'recording', operation: 'getExecution', id }, (reading) =>
    has(answerBody(reading) ?? {}, 'recordingUrl'),
  );

/** The rules on what an execution shows, which may come late. */
const shown = [
  'sync-result-agrees',
  'options-are-recorded',
  'inputs-are-shown',
  'metadata-is-recorded',
  'metadata-is-shown',
  'used-profile-is-shown',
  'group-profile-is-recorded',
  'trigger-names-its-key',
] as const satisfies readonly RuleId[];

/** The ended executions of the run in whose readings something is missing or wrong. */
function lacking({ evidence, executions: { started, running }, facts }: Driver): string[] {
  const wrong = new Set(
    shown.flatMap((rule) =>
      findings(judges[rule], evidence, facts).flatMap(({ kind, exchanges }) => (kind === 'violated' ? exchanges : [])),
    ),
  );
  const read = new Set(evidence.exchanges.flatMap(({ id, resource }) => (wrong.has(id) ? (resource ?? []) : [])));
  return [...started].filter((id) => read.has(id) && !running.has(id));
}

/** Reads the last of them until nothing is missing there, then the others, until patience runs out. */
async function untilVisible(driver: Driver): Promise<void> {
  const { clock, facts, patienceMs, sent } = driver;
  const read = (id: string) => driver.send({ step: 'read', operation: 'getExecution', id });
  const [begin] = sent;
  // No longer than all before it took. A second pass, whose numbers go on, waits no more.
  const giveUp = clock.now() + (begin?.id === 1 ? Math.min(patienceMs, clock.now() - begin.at) : 0);
  let ids = facts.stateful ? lacking(driver) : [];
  for (let interval = firstPollMs; clock.now() < giveUp; interval = nextInterval(interval)) {
    const last = ids.at(-1);
    if (last === undefined) return;
    await driver.pause(interval);
    await read(last);
    ids = lacking(driver);
    if (ids.includes(last)) continue;
    await allOrThrow(ids.map(read));
    ids = lacking(driver);
  }
  await allOrThrow(ids.map(read));
}

/** Whether its files were not found before. Found now, they would show that they came late, not that they stay. */
const isUnlisted = (id: string, exchanges: readonly Exchange[]): boolean =>
  exchanges.some((one) => listsFiles(one) && one.resource === id && status(one) === 404);

/** Reads again the profiles that the run changed. */
const profiles = (driver: Driver): Promise<unknown>[] =>
  driver.scratch
    .filter(({ id, closed }) => closed === undefined && !driver.copies.isElsewhere(id))
    .map(({ id, noop }) => driver.send({ step: 'profile', operation: 'updateProfile', id, body: noop }));

/** An unknown execution must still be refused at the end, however often it was asked for. */
const unknown = (driver: Driver): Promise<unknown> =>
  driver.probe('unknown-execution-files-is-404', 'an execution that does not exist', [], {
    step: 'unknown',
    operation: 'listExecutionFiles',
    id: driver.unknownIdOf('listExecutionFiles'),
  });

/** A deleted pool stays deleted. */
async function pool(driver: Driver): Promise<void> {
  const { pool: id, workflows } = driver.facts;
  const deleted = driver.lastAnswer('pool/delete');
  if (id === undefined || workflows.completes === undefined || !deleted || !accepted(deleted)) return;
  await driver.probe(
    'deleted-pool-cannot-run',
    'a profile group that was deleted',
    { except: ['profileGroupId'] },
    {
      step: 'run-deleted',
      operation: 'execute',
      id: workflows.completes,
      body: { profileGroupId: id },
    },
  );
}

/**
 * Sends what must be refused once more: the last invalid body of an operation, else the last malformed id, and the last
 * request without a key for something made up. A service may go wrong after a while, or after many requests.
 */
function refusedAgain(driver: Driver, operation: OperationId): Promise<unknown>[] {
  const isOwn = (one: Exchange) => refused(one) && !isExcluded(one) && outcomeOf(one).by === 'service';
  const all = driver.sent.filter((one) => one.operation === operation && isProbe(one) && isOwn(one));
  const last = [
    all.findLast((one) => hasRightKey(one) && requestBody(one) && !hasValidRequestBody(one)) ??
      all.findLast((one) => hasRightKey(one) && hasMalformedId(one)),
    all.findLast((one) => keyOf(one) === 'none' && one.mark?.scenario === 'keys-and-ids'),
  ];
  return last.flatMap((one) => {
    const { step = '', probe, credential = 'primary', scenario = '' } = one?.mark ?? {};
    if (!one || !probe) return [];
    const asked = { step, probe, credential, operation, id: one.resource ?? '', body: requestBody(one) };
    return driver.budget.send(scenario, { ...asked, hasMadeUpId: hasMalformedId(one) });
  });
}
