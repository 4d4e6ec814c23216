import { expect, test } from 'vitest';
import { violated } from '../../../../conformance/engine/rule/findings.js';
import { jsonText } from '../../../../conformance/engine/rule/values.js';
import { requirement, signatureOf } from '../../../../conformance/engine/rule/violations.js';
import type { Finding, Mark } from '../../../../conformance/engine/vocabulary.js';
import { exchange } from '../../../support/evidence.js';

const id = '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';

test.each<[string, string]>([
  [`id ${id}`, 'id …'],
  [`name ${jsonText('Nordwind "Süd" 5')}, as sent`, 'name …, as sent'],
  [
    `description ${jsonText('x'.repeat(200))} unchanged, because the request does not send it`,
    'description … unchanged, because the request does not send it',
  ],
  [`inputs ${jsonText({ a: { b: [1, 'c'] }, d: null })}, as given at the start`, 'inputs …, as given at the start'],
  [`metadata ${jsonText({ a: 'y'.repeat(200), b: { c: 1 } })}, as before`, 'metadata …, as before'],
  [`metadata ${jsonText({ b: { c: 'z'.repeat(200) } })}, as before`, 'metadata …, as before'],
  [
    `adblockActive ${jsonText(true)} unchanged, because the request does not send it`,
    'adblockActive … unchanged, because the request does not send it',
  ],
  [`stickyIP ${jsonText(null)} still there`, 'stickyIP … still there'],
  [`executionOptions ${jsonText(417)}, as given at the start`, 'executionOptions …, as given at the start'],
  [`updatedAt ${jsonText('2026-11-03T09:12:44.000Z')} or later`, 'updatedAt … or later'],
  [`only ${id}, ${id} deleted`, 'only … deleted'],
  ['inboxEmail probe-17@inbox.example.com', 'inboxEmail …@…'],
  [
    `the path of the request, /agents/v2/executions/${id}/files`,
    'the path of the request, /agents/v2/executions/…/files',
  ],
  ['inputs.nested.list[2] "x", as given at the start', 'inputs …, as given at the start'],
  ['metadata["with \\"space\\""] "x", as given at the start', 'metadata …, as given at the start'],
  ['extensionIds[3] "x", as sent', 'extensionIds…, as sent'],
  [`description ${jsonText(`"${'\\'.repeat(200)}`)}, as sent`, 'description …, as sent'],
  [`name ${jsonText('so on … and on')} beside ${jsonText('x'.repeat(200))}`, 'name … beside …'],
  ['3 cookies, as in the source', '… cookies, as in the source'],
  ['completed reached within 60 s', 'completed reached within … s'],
  ['an answer within 3012 ms, give or take 2000', 'an answer within … ms, give or take …'],
  ['the 202 body of execute', 'the 202 body of execute'],
  ['one of 200, 202, 400', 'one of 200, 202, 400'],
  ['404 for a pool that is deleted', '404 for a pool that is deleted'],
  ['code 401', 'code 401'],
  ['no 5xx', 'no 5xx'],
])('%s has the requirement %s', (required, want) => {
  expect(requirement(required)).toBe(want);
});

test('the status of the answer belongs to a signature, its body does not', () => {
  expect(signatureOf('no 5xx', { actual: `500 with {"id":"${id}"}` })).toBe('no 5xx: 500');
  expect(signatureOf('no 5xx', { actual: '503 without a body' })).toBe('no 5xx: 503');
  expect(signatureOf('completed never left', { actual: 'running afterwards' })).toBe('completed never left');
});

const signatures = (finding: Finding) =>
  finding.kind === 'violated' ? finding.faults.map((fault) => signatureOf(finding.expected, fault)) : [];
const probed = (fault: string, scenario = 'refusals') =>
  exchange({
    operation: 'executeSync',
    mark: { scenario, probe: { rule: 'sync-timeout-range', fault, controls: [] } } as Partial<Mark>,
  });

test('an invalid value is not part of a signature, its field is', () => {
  const of = (fault: string) => signatures(violated(probed(fault), `a refusal of ${fault}`, '202 with {}'));
  expect(of('timeoutSeconds 26')).toEqual(['a refusal of timeoutSeconds …: 202']);
  expect(of('timeoutSeconds true')).toEqual(['a refusal of timeoutSeconds …: 202']);
  expect(of('no tempFiles.0.name')).toEqual(['a refusal of no tempFiles.0.name: 202']);
  expect(of('the id "x", which is no uuid')).toEqual(['a refusal of the id …, which is no uuid: 202']);
});

test('each fault of a body has a signature of its own', () => {
  const finding = violated(exchange({ operation: 'getExecution' }), 'the 200 body of getExecution', [
    { where: '/status', what: 'enum', says: '/status is "done", not one of …' },
    { where: '/agentName', what: 'missing', says: 'the body lacks agentName' },
  ]);
  expect(signatures(finding)).toEqual([
    'the 200 body of getExecution: /status enum',
    'the 200 body of getExecution: /agentName missing',
  ]);
});
