import { expect, test } from 'vitest';
import { contract, describe, type Operation } from '../../../../conformance/engine/contract.js';
import type { Transport } from '../../../../conformance/engine/http/transport.js';
import { VirtualClock } from '../../../../conformance/engine/send/clock.js';
import { Recorder } from '../../../../conformance/engine/send/recorder.js';
import type { RequestSpec } from '../../../../conformance/engine/send/request-spec.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import '../../../../conformance/suite/contract.js';
import { ids } from '../../../support/evidence.js';
import { usualTarget } from '../../../support/usual-run.js';

/** What is recorded where the contract says something else of a reading. */
const recorded = async (more: Partial<Operation>, asked?: Partial<RequestSpec>) =>
  (await recording(more, asked)).exchange;

/** The same, and how long the answer had time. */
async function recording(
  more: Partial<Operation>,
  asked: Partial<RequestSpec> = {},
): Promise<{ exchange: Exchange; timeoutMs: number }> {
  const today = contract();
  const getExecution = { ...today.operations.getExecution, ...more };
  describe({ ...today, operations: { ...today.operations, getExecution } });
  try {
    let timeoutMs = 0;
    const transport: Transport = async (request) => {
      timeoutMs = request.timeoutMs;
      return { status: 200, headers: {}, bytes: new TextEncoder().encode('{}') };
    };
    const recorder = new Recorder(usualTarget(), { transport, clock: new VirtualClock(0), seed: 1 });
    const mark = { scenario: 'read', step: 'one', credential: 'primary' } as const;
    const request = { step: 'one', operation: 'getExecution', id: ids.execution, ...asked } as const;
    return { exchange: await recorder.exchange(mark, request, new AbortController().signal), timeoutMs };
  } finally {
    describe(today);
  }
}

test('a request of an operation without an id in its path has no resource, and so no malformed id', async () => {
  const { resource } = await recorded({ path: '/agents/v2/executions', pathParameters: [] }, { id: '' });
  expect(resource).toBeNull();
});

const parameters = [
  { name: 'Purpose', required: true, sample: 'report' },
  { name: 'Note', required: false, sample: 'none' },
];

test.each<[string, Partial<RequestSpec>, string]>([
  ['the sample of the contract', {}, 'report'],
  ['the value of the scenario', { query: { Purpose: 'audit' } }, 'audit'],
])('a required parameter has %s, and no other is sent', async (_, asked, want) => {
  const { request } = await recorded({ queryParameters: parameters }, asked);
  expect(new URL(request.url).search).toBe(`?Purpose=${want}`);
});

test('a request accepts JSON, and has the media type of the contract', async () => {
  const { request } = await recorded({ requestTypes: ['application/merge-patch+json'] }, { body: {} });
  expect(request.headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/merge-patch+json' });
});

const waits = { name: 'waitSeconds', usual: 0, longest: 120 };
const slackMs = usualTarget().facts.pace.latencyGraceMs + 10_000;

test.each<[string, Partial<Operation>, Partial<RequestSpec>, number]>([
  ['half a minute, if the operation does not wait', {}, { query: { waitSeconds: '60' } }, 30_000],
  ['half a minute, if the request asks for no wait', { waits }, {}, 30_000],
  ['the wait in the query, and some time', { waits }, { query: { waitSeconds: '60' } }, 60_000 + slackMs],
  ['the wait in the body, and some time', { waits }, { body: { waitSeconds: 60 } }, 60_000 + slackMs],
  ['the longest wait, if the request asks for more', { waits }, { query: { waitSeconds: '999' } }, 120_000 + slackMs],
  ['the usual wait', { waits: { ...waits, usual: 25 } }, { query: { waitSeconds: 'long' } }, 25_000 + slackMs],
  ['the value of the scenario', { waits }, { query: { waitSeconds: '60' }, timeoutMs: 1000 }, 1000],
])('the timeout of a request: %s', async (_, operation, asked, want) => {
  expect((await recording(operation, asked)).timeoutMs).toBe(want);
});

test('the steps of an operation with several paths take turns at them, as do its negative tests; a repeated step keeps its path', async () => {
  const today = contract();
  const { path } = today.operations.getExecution;
  const getExecution = { ...today.operations.getExecution, otherPaths: ['/agents/v2/runs/{executionId}'] };
  describe({ ...today, operations: { ...today.operations, getExecution } });
  const transport: Transport = async () => ({ status: 200, headers: {}, bytes: new TextEncoder().encode('{}') });
  const recorder = new Recorder(usualTarget(), { transport, clock: new VirtualClock(0), seed: 1 });
  const sent = async (step: string, more: object = {}) => {
    const mark = { scenario: 'read', step, credential: 'primary', ...more } as const;
    const request = { step, operation: 'getExecution', id: ids.execution } as const;
    const { request: was } = await recorder.exchange(mark, request, new AbortController().signal);
    return was.url.includes('/runs/') ? 'other' : 'first';
  };
  const probe = { probe: { rules: [], fault: 'f', controls: [] } };
  try {
    const seen = [await sent('a'), await sent('no-key', probe), await sent('b'), await sent('b'), await sent('c')];
    expect(seen).toEqual(['first', 'first', 'other', 'other', 'first']);
    expect(await sent('wrong-key', probe)).toBe('other');
    expect(path).toContain('/executions/');
  } finally {
    describe(today);
  }
});
