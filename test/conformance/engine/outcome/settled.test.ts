import { expect, test } from 'vitest';
import { attributed, settled } from '../../../../conformance/engine/outcome/settled.js';
import '../../../../conformance/suite/contract.js';
import { ids, inOrder, type Sketch } from '../../../support/evidence.js';

const error = (status: number) => ({ status, body: { code: status, message: 'm' } });
const page = (status: number): Partial<Sketch> => ({
  status,
  rawBody: { kind: 'not-json', text: '<html>', error: 'e', bytes: 6 },
});
const start = (more: Partial<Sketch> = {}): Sketch => ({
  operation: 'execute',
  sent: {},
  status: 202,
  body: { executionId: ids.execution, status: 'starting' },
  mark: {},
  ...more,
});
const update = (more: Partial<Sketch> = {}): Sketch => ({
  operation: 'updateProfile',
  sent: { description: 'a' },
  status: 200,
  body: { id: ids.profile },
  mark: {},
  ...more,
});
const cut: Partial<Sketch> = {
  status: 200,
  rawBody: { kind: 'not-json', text: '{"a": ', error: 'Unexpected end', bytes: 6 },
};
const minor = { rule: 'execute-body-is-typed', fault: 'f', controls: [] } as const;
const major = { ...minor, rule: 'soft-timeout-minimum' } as const;
const wrong = { ...start({ sent: { metadata: 5 } }), mark: { probe: minor } };
const reading: Sketch = { operation: 'getExecution', status: 200, body: { id: ids.execution }, mark: {} };

test.each<[what: string, given: Sketch[], counts: string[], replaced?: number[]]>([
  ['an answer', [start(), start(error(400))], ['', '']],
  ['one whose request was sent again', [start(error(409)), start()], ['excluded', ''], [1]],
  ['an error of the service itself, which was sent again', [start(error(500)), start()], ['unjudged', ''], [1]],
  ['a start that was unavailable for want of room', [start(error(503)), start()], ['excluded', ''], [1]],
  ['a refusal that a service may give', [update({ ...error(400), mark: { ifRefused: 'unjudged' } })], ['unjudged']],
  ['a refusal that tells nothing', [start({ ...error(429), mark: { ifRefused: 'excluded' } })], ['excluded']],
  ['what a service may refuse, and accepts', [update({ mark: { ifRefused: 'unjudged' } })], ['']],
  ['what is not answered yet', [{ operation: 'execute', mark: { ifRefused: 'excluded' } }], ['']],
  ['a page for an unjudged request', [start({ ...page(400), mark: { unjudged: true } })], ['excluded']],
  ['a lost change', [update(cut), update({ ...cut, mark: { unjudged: true } })], ['excluded', 'excluded']],
  ['a lost change with a wrong key', [update({ ...cut, mark: { credential: 'none' } })], ['']],
  ['a start that was repeated', [start(error(400)), start({ mark: { repeats: [1] } })], ['excluded', '']],
  ['one that was repeated in vain', [start(error(400)), start({ ...error(400), mark: { repeats: [1] } })], ['', '']],
  ['a run that was repeated', [start(), start({ mark: { repeats: [1] } })], ['wasRepeated', '']],
  ['what shows a wrong value that need not be refused', [wrong, reading], ['mayShowWrong', 'mayShowWrong']],
  ['what shows a wrong value that must be refused', [{ ...wrong, mark: { probe: major } }, reading], ['', '']],
  ['a run that a request changed', [start(), update({ resource: ids.execution })], ['changedByRequest', '']],
  ['what shows a right one', [start({ mark: { probe: minor } }), reading], ['', '']],
])('%s', (_, given, counts, replaced = []) => {
  const flags = (one: (typeof all)[number]) =>
    one.standing ?? (['wasRepeated', 'changedByRequest', 'mayShowWrong'] as const).find((name) => one[name]) ?? '';
  const all = settled(inOrder(given), new Set(replaced));
  expect(all.map(flags)).toEqual(counts);
});

test('what came after the target was gone is excluded, errors of its own too', () => {
  const given = inOrder([start(), start(error(500)), start()]);
  const gone = settled(given, new Set([2]), given[1]?.at);
  expect(gone.map(({ standing }) => standing)).toEqual([undefined, 'excluded', 'excluded']);
});

test('what was recorded stays as it is, and each answer is the same object every time', () => {
  const given = inOrder([start(error(409)), start()]);
  expect(settled(given, new Set([1]))[0]).toBe(settled(given, new Set([1]))[0]);
  expect(given[0]).not.toHaveProperty('standing');
});

test('an answer that only the service gives counts again, for its form alone if it is outside the contract', () => {
  const odd = (place: number): Sketch[] => [
    { operation: 'getExecution', status: 404, body: { message: 'm' }, mark: { step: `a${place}` } },
    { operation: 'getExecution', ...error(404), mark: { step: `a${place}` } },
  ];
  const sent = settled(inOrder([1, 2, 3].flatMap(odd)), new Set([1, 3, 5]));
  expect(sent[0]?.standing).toBe('excluded');
  expect(attributed(sent, [])[0]?.standing).toBe('unjudged');
});

test('an answer in the words of a gateway, which several operations got, is excluded even if it is the last', () => {
  const words = { status: 404, body: { message: 'no Route matched' } };
  const retried = (operation: 'getExecution' | 'updateProfile'): Sketch[] => [
    { operation, ...words, mark: { step: operation } },
    { operation, ...error(404), mark: { step: operation } },
  ];
  const last: Sketch = { operation: 'listExecutionFiles', ...words, mark: { step: 'last' } };
  const sent = settled(inOrder([...retried('getExecution'), ...retried('updateProfile'), last]), new Set([1, 3]));
  expect(sent[4]?.standing).toBeUndefined();
  expect(attributed(sent, []).map(({ standing }) => standing)).toEqual([
    'excluded',
    undefined,
    'excluded',
    undefined,
    'excluded',
  ]);
});
