import { expect, test } from 'vitest';
import { bundle } from '../../proof/bundle.js';
import { cases, idOf } from '../../proof/cases.js';
import { type ChangedFile, casesFor, concernOf } from '../../proof/changed.js';

const { graph } = await bundle();
const concernWith = (...files: ChangedFile[]) => concernOf(files, graph, 'proof/worker.ts');
const of = (path: string, ...lines: number[]): ChangedFile => ({ path, lines });
const none = new Set();

test('a schema concerns the rules that rest on it, and the rule that checks answers against schemas', async () => {
  const { rules, everything } = await concernWith(of('openapi/schemas/Cookie.yaml', 1), of('generated/types.ts', 9));
  expect(everything).toBeUndefined();
  expect(rules).toContain('response-matches-schema');
  expect(rules).not.toContain('duration-is-in-seconds');
});

test('judges concern their rules, and all rules that use them', async () => {
  const { rules } = await concernWith(of('conformance/suite/sync/rules/waits.ts'));
  expect(rules).toContain('sync-wait-is-bounded');
  expect(rules).not.toContain('duration-is-in-seconds');
});

test('a line within a judge concerns its rule', async () => {
  const all = await concernWith(of('conformance/suite/sync/rules/waits.ts'));
  const one = await concernWith(of('conformance/suite/sync/rules/waits.ts', 40));
  expect(one.rules.size).toBeGreaterThan(0);
  expect(one.rules.size).toBeLessThan(all.rules.size);
});

test('a file of faults concerns its faults', async () => {
  const concern = await concernWith(of('deviations/faults/executions/reading.ts', 9));
  expect(concern.rules).toEqual(none);
  expect(casesFor(concern).map(idOf)).toContain('created-at-is-now');
});

test.each(['reference/app.ts', 'conformance/suite/starts/start.ts', 'conformance/engine/rule/probes.ts'])(
  '%s concerns every case',
  async (path) => {
    const concern = await concernWith(of(path, 1));
    expect(concern.everything).toBe(path);
    expect(casesFor(concern)).toBe(cases);
  },
);

test('a file that the proof does not run concerns no case', async () => {
  const concern = await concernWith(of('docs/client.md', 3), of('client/client.ts', 3));
  expect(concern).toEqual({ rules: none, deviations: none });
  expect(casesFor(concern)).toEqual([]);
});

test('every selection of cases has conformant services', async () => {
  const concern = await concernWith(of('openapi/schemas/Cookie.yaml', 1));
  expect(casesFor(concern).map(idOf)).toContain('default');
});
