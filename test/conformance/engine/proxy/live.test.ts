import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Live, type Violation } from '../../../../conformance/engine/proxy/live.js';
import type { PassedExchange } from '../../../../conformance/engine/proxy/passing.js';
import type { RecordedRun } from '../../../../conformance/engine/recording/recorded-run.js';
import type { Body, Exchange } from '../../../../conformance/engine/vocabulary.js';
import { unknownTarget } from '../../../../conformance/suite/target/target.js';
import { ids } from '../../../support/evidence.js';
import { judged, passed, running } from '../../../support/recordings.js';
import { histories, mixed } from '../../../support/traffic.js';

const key = 'a-secret-key-of-a-caller';
const bytes = (body: Body) => {
  const text = body.kind === 'json' ? JSON.stringify(body.value) : body.kind === 'not-json' ? body.text : '';
  return new TextEncoder().encode(text);
};
const flat = (headers: Readonly<Record<string, string>>) => Object.entries(headers).flat();

/** As a proxy would have seen it. */
const passedOf = ({ at, durationMs, request, response, failure }: Exchange): PassedExchange => ({
  at,
  durationMs,
  request: {
    method: request.method,
    url: request.url,
    headers: ['X-Service-Agents-Api-Key', key, 'X-Api-Key', key, ...flat(request.headers).slice(2)],
    body: bytes(request.body),
  },
  ...(response && {
    response: { status: response.status, headers: flat(response.headers), body: bytes(response.body) },
  }),
  ...(failure && { failure: { kind: 'broken', message: failure.message } }),
});

const told = ({ exchanges: _, ...run }: RecordedRun) => run;

test('recorded exchanges get the same verdicts as live ones, also in part or after a search request, and contain no key', async () => {
  const url = 'http://127.0.0.1/agents/v2/executions';
  const lookUp = (at: number) => ({
    ...reading(at, 'running'),
    request: { ...reading(at, 'running').request, url: `${url}?order=${key}` },
  });
  const inPart = (passed: PassedExchange): PassedExchange => ({
    ...passed,
    ...(passed.response && { response: { ...passed.response, body: undefined } }),
  });
  const some = fc.array(fc.constantFrom('whole', 'in part', 'after a look-up'), { minLength: 5 });
  await fc.assert(
    fc.asyncProperty(histories.chain(mixed), fc.oneof(fc.constant(['whole']), some), async (exchanges, ways) => {
      const lines: string[] = [];
      const live = new Live({ facts: unknownTarget, record: (line) => lines.push(line) });
      for (const [place, one] of exchanges.entries()) {
        const way = ways[place % ways.length];
        if (way === 'after a look-up') live.take(lookUp(one.at));
        live.take(way === 'in part' ? inPart(passedOf(one)) : passedOf(one));
      }
      const run = live.finish();
      expect(lines.join('')).not.toContain(key);
      expect(told(await judged(lines.join('')))).toEqual(told(run));
    }),
    { numRuns: 10 },
  );
});

test('a search that the interface does not document is recorded, and later starts are not held against the caller', async () => {
  const start = (at: number): PassedExchange => {
    const url = `http://127.0.0.1/agents/v2/workflows/${ids.workflow}/execute/sync`;
    return passed(
      { method: 'POST', url, sent: { inputs: { order: 7 } }, status: 504, body: { code: 504, message: 'Late.' } },
      at,
    );
  };
  const search = {
    ...reading(2000, 'running'),
    request: { ...reading(2000, 'running').request, url: 'http://127.0.0.1/agents/v2/executions?order=7' },
  };
  const lines: string[] = [];
  const live = new Live({ facts: unknownTarget, record: (line) => lines.push(line) });
  for (const one of [start(1000), search, start(3000)]) live.take(one);
  const verdictOf = ({ callers }: RecordedRun) =>
    callers.find(({ id }) => id === 'caller-looks-up-after-gateway-timeout')?.verdict;
  expect(verdictOf(live.finish())).toBe('untested');
  expect(verdictOf(await judged(lines.join('')))).toBe('untested');
});

const reading = (at: number, status: string): PassedExchange => {
  const url = `http://127.0.0.1/agents/v2/executions/${ids.execution}`;
  return passed({ url, headers: { 'X-Service-Agents-Api-Key': key }, body: { ...running, status } }, at);
};

test('a violation of an execution is reported once, at the end', () => {
  const reported: Violation[] = [];
  const live = new Live({ facts: unknownTarget, onViolation: (violation) => reported.push(violation) });
  for (const [at, status] of [
    [1000, 'completed'],
    [4000, 'running'],
    [5000, 'running'],
  ] as const)
    live.take(reading(at, status));
  expect(reported.map(({ rule }) => rule)).not.toContain('terminal-is-final');
  const verdict = live.finish().rules.find(({ id }) => id === 'terminal-is-final');
  expect(verdict?.verdict).toBe('violated');
  expect(reported.filter(({ rule }) => rule === 'terminal-is-final')).toHaveLength(1);
});
