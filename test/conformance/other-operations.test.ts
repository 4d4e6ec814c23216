import { expect, test, vi } from 'vitest';
import type contractDocument from '../../generated/openapi.json';
import type * as generated from '../../generated/operations.js';
import type * as validators from '../../generated/validators.js';
import { freshModules } from '../support/fresh-modules.js';

/** A contract with operations of kinds that this one has not. */
vi.mock('../../generated/operations.js', async (original) => {
  const module = await original<typeof generated>();
  const { execute, getExecution, duplicateProfile } = module.operations;
  const waits = { name: 'wait', required: false, type: 'integer', isList: false, sample: '1' };
  const more = {
    rerun: { ...execute, path: '/agents/v2/executions/{executionId}/rerun', pathParameters: ['executionId'] },
    upload: { ...execute, path: '/agents/v2/files', pathParameters: [], resource: 'file', subject: null, key: 'id' },
    deleteMany: {
      ...{ ...getExecution, method: 'DELETE', path: '/agents/v2/agent-profile-pools', pathParameters: [] },
      ...{ resource: 'pool', subject: null, effect: 'ends', key: null, essential: null },
    },
    list: { ...getExecution, path: '/agents/v2/executions', pathParameters: [], subject: null, key: null },
    summary: { ...getExecution, path: '/agents/v2/executions/{executionId}/summary', key: null },
    copyPool: {
      ...duplicateProfile,
      path: '/agents/v2/pools/{poolId}/copy',
      pathParameters: ['poolId'],
      resource: 'pool',
    },
  };
  const operations = {
    ...module.operations,
    ...more,
    rerun: { ...more.rerun, subject: 'execution' },
    getExecution: { ...getExecution, queryParameters: [waits, { ...waits, name: 'pause', deprecated: true }] },
    list: { ...more.list, deprecatedPaths: [more.list.path] },
  };
  return { ...module, operations, operationIds: Object.keys(operations) };
});
vi.mock('../../generated/validators.js', async (original) => {
  const module = await original<typeof validators>();
  const upTo25 = Object.assign((value: unknown) => typeof value === 'number' && value <= 25, { errors: [] });
  return { ...module, parameters: { ...module.parameters, getExecution: { wait: upTo25 } } };
});

/** One cookie in an update, and no more. */
vi.mock('../../generated/openapi.json', async (original) => {
  const document = structuredClone((await original<{ default: typeof contractDocument }>()).default);
  Object.assign(document.components.schemas.AgentProfileUpdate.properties.cookiesToAdd, { maxItems: 1 });
  return { default: document };
});

freshModules();
await import('../../conformance/suite/contract.js');
const read = await import('../../conformance/engine/outcome/read.js');
const { requestJudges } = await import('../../conformance/suite/callers/rules/requests.js');
const { startedTwice } = await import('../../conformance/suite/starts/asked.js');
const { runScenarios } = await import('../../conformance/engine/scenario/schedule.js');
const { quiet } = await import('../../conformance/engine/send/recorder.js');
const { driverOf } = await import('../../conformance/suite/driver.js');
const { Session } = await import('../../conformance/suite/session.js');
const { wantedFor } = await import('../../conformance/suite/wanted.js');
const { inProcess } = await import('../../proof/transport.js');
const { VirtualClock } = await import('../../conformance/engine/send/clock.js');
const { createReference } = await import('../../reference/index.js');
const { withMeasuredLatency } = await import('../../conformance/engine/outcome/latency.js');
const { exchange, facts, ids } = await import('../support/evidence.js');
const { usualTarget } = await import('../support/usual-run.js');

const as = (name: string) => name as generated.OperationId;
const asked = (name: string) => ({ operation: as(name) });

/** What a run sends to a service where a rerun starts a workflow, and which does not know the other operations. */
async function sentWith(allow: 'read' | 'execute' | 'write') {
  const target = usualTarget({ allow });
  const clock = new VirtualClock();
  const service = createReference({ seed: 1, report: () => {}, limits: { requests: 0 }, clock });
  const send = inProcess(service.fetch, clock);
  const workflow = `${target.facts.baseUrl}/agents/v2/workflows/${target.facts.workflows.completes}/execute`;
  const begun = new Set<string>();
  const transport: typeof send = async (request) => {
    const [, rerun] = /\/executions\/([^/]+)\/rerun$/.exec(request.url) ?? [];
    const isKnown = rerun !== undefined && begun.has(rerun);
    const answer = await send({ ...request, url: isKnown ? workflow : request.url });
    const [, started] = /"executionId":"([^"]+)"/.exec(new TextDecoder().decode(answer.bytes)) ?? [];
    if (started !== undefined) begun.add(started);
    return answer;
  };
  const session = new Session(target, { transport, clock, seed: 1 });
  const { scenarios, starts } = wantedFor(target.facts);
  session.chosen = starts.steps;
  await clock.run(runScenarios(scenarios, driverOf(session, quiet), session.clock, quiet));
  await service.close();
  return session.exchanges;
}

test('an operation that makes another kind of resource is neither a start nor a copy', () => {
  expect(['execute', 'rerun', 'upload'].filter((name) => read.isStartRequest(asked(name)))).toEqual([
    'execute',
    'rerun',
  ]);
  expect(['duplicateProfile', 'copyPool'].filter((name) => read.isCopyRequest(asked(name)))).toEqual([
    'duplicateProfile',
  ]);
});

test('an answer about an execution without its id is not a reading of it', () => {
  expect(['getExecution', 'summary', 'list'].filter((name) => read.readsOne(asked(name), 'execution'))).toEqual([
    'getExecution',
  ]);
});

test('a start from an execution that answers with the same execution is judged at the start that created it', () => {
  const start = exchange({ operation: 'execute', status: 202, body: { executionId: ids.execution }, mark: {} });
  const rerun = exchange({ ...asked('rerun'), status: 202, body: { executionId: ids.execution }, mark: {} });
  const trace = { executionId: ids.execution, start, otherStarts: [rerun], readings: [], listings: [] };
  expect(startedTwice(trace, ({ operation }) => operation === 'execute', 'one each')).toHaveLength(1);
  expect(startedTwice(trace, ({ operation }) => operation === 'executeSync', 'one each')).toEqual([]);
});

test('the duration of a reading with a wait does not count as latency', () => {
  const readings = [
    exchange({ operation: 'getExecution', status: 200, durationMs: 4000 }),
    exchange({ operation: 'getExecution', status: 200, durationMs: 60_000, query: { wait: '60' } }),
  ];
  const evidence = { exchanges: readings, traces: [], profiles: [] };
  expect(withMeasuredLatency(facts(), evidence.exchanges).pace.latencyGraceMs).toBe(5000);
});

test('an operation that creates a resource without an id is sent only with missing and wrong keys', async () => {
  const sent = (await sentWith('read')).filter(({ operation }) => operation === as('upload'));
  expect(new Set(sent.map(({ mark }) => mark?.credential))).toEqual(new Set(['none', 'invalid']));
});

test('a second kind of start is tried on an execution of the run, with wrong bodies and keys too, and its executions are read', async () => {
  const exchanges = await sentWith('execute');
  const sent = exchanges.filter(({ operation }) => operation === as('rerun'));
  const rich = exchanges.find(({ mark }) => mark?.scenario === 'start' && mark.step === 'rich');
  const own = sent.filter(({ resource }) => resource !== null && resource === (rich && read.startedId(rich)));
  expect(own.map(({ mark }) => mark?.step)).toEqual(
    expect.arrayContaining(['start', 'none-rerun', 'invalid-rerun', 'restricted-rerun']),
  );
  const [started] = own.filter(({ mark }) => mark?.step === 'start').map(read.startedId);
  expect(exchanges.some((one) => read.readsOne(one, 'execution') && one.resource === started)).toBe(true);
});

test('no list is longer than the contract allows, except on purpose', async () => {
  const added = (await sentWith('write')).flatMap((one) => {
    const { cookiesToAdd } = read.requestBody(one) ?? {};
    return Array.isArray(cookiesToAdd) ? { length: cookiesToAdd.length, isWrong: one.mark?.probe !== undefined } : [];
  });
  expect(new Set(added.flatMap(({ length, isWrong }) => (isWrong ? [] : length)))).toEqual(new Set([0, 1]));
  expect(added).toContainEqual({ length: 2, isWrong: true });
});

test.each<[rule: 'caller-avoids-deprecated-fields' | 'caller-stays-within-limits', string, object, string | undefined]>(
  [
    ['caller-avoids-deprecated-fields', 'a deprecated parameter', { query: { pause: '1' } }, 'violated'],
    ['caller-avoids-deprecated-fields', 'another', { query: { wait: '1' } }, 'satisfied'],
    ['caller-avoids-deprecated-fields', 'a deprecated path', { operation: as('list') }, 'violated'],
    ['caller-stays-within-limits', 'a parameter out of its bounds', { query: { wait: '26' } }, 'violated'],
    ['caller-stays-within-limits', 'one that is no number', { query: { wait: 'long' } }, 'violated'],
    ['caller-stays-within-limits', 'one within', { query: { wait: '25' } }, 'satisfied'],
    ['caller-stays-within-limits', 'none', {}, undefined],
  ],
)('%s distinguishes queries and paths: %s', (rule, _, sketch, want) => {
  const judge = requestJudges[rule].exchange;
  const found = judge(exchange({ operation: 'getExecution', ...sketch }));
  expect(found?.kind).toBe(want);
});
