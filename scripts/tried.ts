/** Tries an operation in two minutes at most, and prints what nothing looks at. */

import { parseArgs } from 'node:util';
import { play } from '../certify/play.js';
import { scripts } from '../certify/scripts.js';
import { verdictsOf } from '../certify/verdict.js';
import type { Run } from '../conformance/check.js';
import { pathTo } from '../conformance/engine/http/address.js';
import type { WireRequest, WireResponse } from '../conformance/engine/http/transport.js';
import { answerBody, isFields } from '../conformance/engine/outcome/read.js';
import { lineOf } from '../conformance/engine/proxy/passing.js';
import { judgeRecordings } from '../conformance/engine/recording/pipeline.js';
import { toTarget } from '../conformance/suite/target/target.js';
import { createReference } from '../deviations/index.js';
import { isTerminal } from '../generated/lifecycle.js';
import openapi from '../generated/openapi.json' with { type: 'json' };
import { type Operation, type OperationId, operationIds, operations } from '../generated/operations.js';
import { samples } from '../generated/samples.js';
import { responseValidator } from '../generated/validators.js';
import { startMock } from '../mock/index.js';
import { lasting } from '../proof/cases.js';
import { checkInProcess } from '../proof/in-process.js';
import { watched } from '../proof/watched.js';
import { type Document, readOperations } from './generate/document.js';
import { conjuncts, propertiesIn } from './generate/resolve.js';
import { Misuse, script } from './script.js';
import { type Between, changingField, ignoringField, ignoringParameter, withoutPath } from './tried/services.js';

const usage = 'npm run tried -- OPERATION';
const document = openapi as unknown as Document;
/** After this time no further service is tried. */
const limitMs = 90_000;

type Kept = readonly [request: WireRequest, answer: WireResponse, at: number, durationMs: number];

/** Runs the suite, and keeps what was sent. */
async function suite(between: Between = (service) => service, minutes = 0): Promise<{ run: Run; kept: Kept[] }> {
  const kept: Kept[] = [];
  const run = await checkInProcess({ faults: minutes > 0 ? [lasting(minutes)] : [] }, {}, (service, clock) => {
    const passed = between(service);
    return async (request) => {
      const at = clock.now();
      const answer = await passed(request);
      kept.push([request, answer, at, clock.now() - at]);
      return answer;
    };
  });
  return { run, kept };
}

const verdicts = ({ rules }: Run): string => rules.map(({ id, verdict }) => `${id} ${verdict}`).join('\n');

const not = (rules: readonly { readonly id: string; readonly verdict: string }[], ...wanted: readonly string[]) =>
  rules.flatMap(({ id, verdict }) => (wanted.includes(verdict) ? [] : `${id} is ${verdict}`));

/** What the suite is never answered. test/conformance/tried.test.ts says what it does not send. */
const missing = (id: OperationId, { evidence }: Run): string[] =>
  Object.keys(operations[id].responses).filter(
    (one) =>
      /^[1-4]\d\d$/.test(one) &&
      !evidence.exchanges.some(({ operation, response }) => operation === id && `${response?.status}` === one),
  );

/** The recording of a run, judged. */
async function recorded(kept: readonly Kept[]): Promise<string[]> {
  const encoder = new TextEncoder();
  const text = kept
    .toSorted(([, , a], [, , b]) => a - b)
    .map(([{ method, url, headers, body }, answer, at, durationMs]) => {
      const given = { method, url, headers: Object.entries(headers).flat(), body: encoder.encode(body ?? '') };
      const got = { status: answer.status, headers: Object.entries(answer.headers).flat(), body: answer.bytes };
      return JSON.stringify(lineOf({ at, durationMs, request: given, response: got }));
    });
  async function* open() {
    yield encoder.encode(text.join('\n'));
  }
  const run = await judgeRecordings([{ name: 'the run', open }]);
  return not(run.rules, 'passed', 'untested', 'not-applicable', 'inconclusive');
}

/** A caller that starts one execution and follows it by this operation alone, or calls it once. */
async function certified(id: OperationId): Promise<string[]> {
  const { effect, subject, key, essential, method, path }: Operation = operations[id];
  const isReading = effect === 'reads' && subject === 'execution';
  const job = effect === 'starts' || isReading ? 'asynchronous' : undefined;
  const stage = scripts.find((one) => (job ? one.id === job : one.job === 'profile'));
  if (!stage) return [];
  const played = await play(
    stage,
    async (given) => {
      const send = async (operation: OperationId, inPath: string, body?: object) => {
        const { keyHeader, ...one }: Operation = operations[operation];
        const headers = { [keyHeader]: given.WORKFLOW_API_KEY, ...(body && { 'Content-Type': 'application/json' }) };
        const answer = await fetch(given.BASE_URL + pathTo(one, { id: inPath }), {
          method: one.method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        return { status: answer.status, ...(text === '' ? {} : JSON.parse(text)) };
      };
      if (!job) return send(id, given.PROFILE_ID ?? '', bodyOf(id));
      const start = effect === 'starts' ? id : 'execute';
      const { executionId } = await send(start, given.WORKFLOW_ID, JSON.parse(given.CERTIFY_REQUEST));
      const follow = isReading && essential?.[0] === 'status' ? id : 'getExecution';
      if (isReading && follow !== id) await send(id, executionId);
      for (let turn = 0; turn < 100; turn += 1) {
        const { status } = await send(follow, executionId);
        if (isTerminal(status)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    20,
  );
  if (played.failure) return [`the caller failed: ${played.failure} (${method} ${path}, ${key})`];
  return not(verdictsOf([played]), 'passed', 'untested', 'inconclusive');
}

const bodyOf = (id: OperationId): object | undefined => {
  const { requestSchema }: Operation = operations[id];
  return requestSchema === null ? undefined : (samples[requestSchema].minimal as object);
};

/** The most executions at once of a run that may have one. */
async function atOnePlace(): Promise<string[]> {
  const { watching, mostAtOnce } = watched();
  const { fixtures } = createReference();
  const { capacity: _, profileGroup: __, ...alone } = fixtures;
  await checkInProcess({ faults: [watching] }, { target: toTarget({ ...alone, budget: { places: 1 } }) });
  return mostAtOnce() > 1 ? [`a run with budget.places: 1 holds ${mostAtOnce()}`] : [];
}

/** What the mock answers, and whether its refusals name parameters of the operation. */
async function mocked(id: OperationId): Promise<string[]> {
  const { method, path, keyHeader, requestFields, pathParameters, queryParameters, responses }: Operation =
    operations[id];
  const mock = await startMock();
  try {
    const own = [...requestFields, ...pathParameters, ...queryParameters.map(({ name }) => name)];
    const ask = async (prefer?: string) => {
      const body = bodyOf(id);
      const response = await fetch(
        mock.url + pathTo({ path, queryParameters }, { id: '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813' }),
        {
          method,
          headers: { [keyHeader]: 'any', 'Content-Type': 'application/json', ...(prefer && { Prefer: prefer }) },
          ...(body && { body: JSON.stringify(body) }),
        },
      );
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    };
    const usual = await ask();
    const isValid = responseValidator(id, usual.status);
    const wrong = usual.status < 300 && (!isValid || usual.body === undefined || isValid(usual.body));
    const found = wrong ? [] : [`the mock answers ${usual.status}, or not by the schema`];
    for (const status of Object.keys(responses).filter((one) => /^[45]\d\d$/.test(one))) {
      const { body } = await ask(`code=${status}`);
      const errors = isFields(body) && Array.isArray(body.errors) ? body.errors : [];
      for (const { parameter } of errors as { parameter?: string }[])
        if (!own.includes(`${parameter}`.replace(/[.[].*/, '')))
          found.push(`the mock names ${parameter} with ${status}, which is no parameter of ${id}: give it an example`);
    }
    return found;
  } finally {
    await mock.close();
  }
}

/** The fields that an operation may answer, with whether each is required wherever it may stand. */
function fieldsOf(id: OperationId): ReadonlyMap<string, boolean> {
  const all = readOperations(document).find((one) => one.id === id)?.responses ?? [];
  const found = new Map<string, boolean>();
  for (const { body } of all)
    for (const name of body ? propertiesIn(document, body.schema).keys() : []) {
      const parts = body ? conjuncts(document, body.schema) : [];
      const isRequired = parts.some(({ required }) => (required as string[] | undefined)?.includes(name));
      found.set(name, (found.get(name) ?? true) && isRequired);
    }
  return found;
}

function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return Array.isArray(value) ? [] : {};
  if (/^[0-9a-f-]{36}$/.test(value)) return '00000000-0000-4000-8000-00000000abcd';
  return Number.isNaN(Date.parse(value)) ? `${value}x` : '2001-01-01T00:00:00Z';
}

async function main(): Promise<number> {
  const [id, ...more] = parseArgs({ allowPositionals: true }).positionals;
  if (more.length > 0 || !operationIds.includes(id as OperationId))
    throw new Misuse(`${id ?? 'no name'} is no operation; there are ${operationIds.join(', ')}`);
  const operation = id as OperationId;
  const begin = Date.now();
  let count = 0;
  const show = (part: string, found: readonly string[]) => {
    count += found.length;
    console.log(`${found.length === 0 ? '✓' : '✗'} ${part}${found.map((line) => `\n    ${line}`).join('')}`);
  };
  const { run, kept } = await suite();
  show('the suite finds the reference service conformant', not(run.rules, 'passed', 'untested', 'not-applicable'));
  show('the suite gets each status', missing(operation, run));
  show('a recording of this run is judged alike', await recorded(kept));
  show('a caller that uses the operation keeps the rules', await certified(operation));
  show('a run that may hold one place holds one', await atOnePlace());
  show('the mock answers it', await mocked(operation));
  const answers = run.evidence.exchanges.flatMap((one) => (one.operation === operation ? (answerBody(one) ?? []) : []));
  const fields = fieldsOf(operation);
  const sent = [...fields.keys()].filter((name) => answers.some((body) => name in (body as object)));
  show(
    'the reference service sends each field',
    [...fields.keys()].flatMap((name) => (sent.includes(name) ? [] : name)),
  );
  const usual = verdicts(run);
  const { queryParameters, requestFields, path, otherPaths, waits }: Operation = operations[operation];
  const differing = (says: string, ...ways: Between[]) => ({ says, ways });
  const services = [
    ...queryParameters.map(({ name }) => differing(`ignores ${name}`, ignoringParameter(operation, name))),
    ...(otherPaths.length > 0 ? [path, ...otherPaths] : []).map((one) => differing(`lacks ${one}`, withoutPath(one))),
    ...sent
      .filter((name) => !fields.get(name))
      .map((name) =>
        differing(
          `answers without ${name}, or with another`,
          ...[another, () => undefined].map((change) => changingField(operation, name, change)),
        ),
      ),
    ...requestFields.map((name) => differing(`ignores ${name}`, ignoringField(operation, name))),
  ];
  const unseen: string[] = [];
  for (const { says, ways } of services) {
    if (Date.now() - begin > limitMs) {
      unseen.push(`${says}: not tried within ${limitMs / 1000} s`);
      continue;
    }
    let isSeen = false;
    for (const way of ways) isSeen ||= verdicts((await suite(way)).run) !== usual;
    // How long an answer waits shows where executions take a minute.
    if (!isSeen && says === `ignores ${waits?.name}`)
      isSeen = (await suite(ways[0], 1)).run.rules.some(({ verdict }) => verdict === 'violated');
    if (!isSeen) unseen.push(says);
  }
  show('a rule changes its verdict on a service that differs in one part', unseen);
  console.log(`${operation}: ${count === 0 ? 'nothing is left over' : `${count} left over`}.`);
  return count === 0 ? 0 : 1;
}

await script('tried', usage, main);
