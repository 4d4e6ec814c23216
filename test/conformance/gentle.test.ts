import { expect, test } from 'vitest';
import { plan } from '../../conformance/plan.js';
import { makeTarget } from '../../conformance/suite/target/read.js';
import { type TargetFile, toTarget } from '../../conformance/suite/target/target.js';
import { checkInProcess } from '../../proof/in-process.js';
import { createReference } from '../../reference/index.js';

const { fixtures: file } = createReference();

test('a gentle run reads, with one request without a key and one with a wrong key', async () => {
  const target = toTarget({ ...file, allow: 'read', gentle: true } satisfies TargetFile);
  const run = await checkInProcess({}, { target });
  const { exchanges } = run.evidence;
  const sent = exchanges.map(({ request, mark, response }) => ({
    method: request.method,
    key: mark?.credential,
    status: response?.status,
  }));
  expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(sent.filter(({ key }) => key !== 'primary').map(({ key }) => key)).toEqual(['none', 'invalid']);
  // Nothing is malformed, and what is not there is asked for a few times only.
  expect(sent.filter(({ status }) => status === 400 || status === 405)).toEqual([]);
  expect(sent.filter(({ status }) => status === 404).length).toBeLessThanOrEqual(6);
  expect(sent.length).toBeLessThan(15);
  const verdicts = Object.fromEntries(run.rules.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toMatchObject({
    'missing-key-is-401': 'passed',
    'invalid-key-is-401': 'passed',
    'unknown-execution-is-404': 'passed',
    'malformed-id-is-refused': 'untested',
  });
  expect(run.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
  expect(run.rules.find(({ id }) => id === 'standard-error-detail')?.why).toBe('To judge it, leave out --gentle.');
  const bare = makeTarget(
    file.baseUrl,
    { WORKFLOW_API_KEY: file.apiKeys.primary },
    { gentle: true, insecureHttp: true },
  );
  const other = await checkInProcess({}, { target: bare });
  expect(other.rules.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
});

test('a gentle run only reads, whatever the target file allows, and its plan has no other effects', async () => {
  const target = makeTarget('http://127.0.0.1:1', { WORKFLOW_API_KEY: 'a-key-of-it' }, { gentle: true });
  expect(target.facts).toMatchObject({ gentle: true, allow: 'read' });
  const { scenarios, executions } = await plan(target);
  expect({ executions, effects: [...new Set(scenarios.map(({ effect }) => effect))] }).toEqual({
    executions: 0,
    effects: ['read'],
  });
});
