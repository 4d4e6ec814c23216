import { expect, test } from 'vitest';
import {
  betweenReplaced,
  excluded,
  ownReplaced,
  replacedRemarks,
} from '../../../../conformance/engine/outcome/excluded.js';
import '../../../../conformance/suite/contract.js';
import { ids, inOrder, type Sketch } from '../../../support/evidence.js';
import { example } from '../../../support/sketches.js';

/** A request that is answered in these ways, one after the other; all but the last were sent again. */
const requested = (
  step: string,
  operation: Sketch['operation'],
  ...answers: readonly (readonly [status: number, body: object])[]
): Sketch[] =>
  answers.map(([status, body], place) => ({
    operation,
    status,
    body,
    mark: { step, ...(place < answers.length - 1 && { excluded: true }) },
  }));
const words = [404, { message: 'no Route matched' }] as const;
const proper = [404, { code: 404, message: 'It was not found.' }] as const;
const idsOf = (exchanges: readonly { readonly id: number }[]) => exchanges.map(({ id }) => id);
const thrice = ['a', 'b', 'c'].flatMap((step) => requested(step, 'getExecution', words, proper));

test('answers outside the contract count against the service from the third request of one operation on, whatever answer follows', () => {
  expect(idsOf(ownReplaced(inOrder(thrice)))).toEqual([1, 3, 5]);
  expect(ownReplaced(inOrder(thrice.slice(2)))).toEqual([]);
  const oneRequest = requested('d', 'getExecution', words, words, words, proper);
  expect(ownReplaced(inOrder(oneRequest))).toEqual([]);
  const oneOutage = [...thrice.filter((_, place) => place % 2 === 0), ...thrice.filter((_, place) => place % 2 === 1)];
  expect(ownReplaced(inOrder(oneOutage))).toEqual([]);
});

test('they come from a gateway if another operation gets them too, and so does the same answer without another one', () => {
  const left = requested('left', 'duplicateProfile', words);
  const all = inOrder([...thrice, ...requested('d', 'execute', words, proper), ...left]);
  expect(ownReplaced(all)).toEqual([]);
  expect(idsOf(betweenReplaced(all))).toEqual([1, 3, 5, 7, 9]);
  expect(betweenReplaced(inOrder([...thrice, ...left]))).toEqual([]);
});

test('an answer with a field of the contract comes from the service from the second request on, on any number of operations', () => {
  const own = [404, { code: '404', message: 'It was not found.' }] as const;
  const all = [...thrice, ...['d', 'e'].flatMap((step) => requested(step, 'execute', own, proper))];
  expect(idsOf(ownReplaced(inOrder(all)))).toEqual([1, 3, 5, 7, 9]);
  expect(ownReplaced(inOrder(all.slice(-2)))).toEqual([]);
});

test('a note reports how many of how many answers are not judged, and why', () => {
  expect(replacedRemarks(inOrder(thrice.slice(2)))).toEqual([
    '2 of 4 answers of getExecution were outside the contract (404, the first is #1); the same requests, sent again, got other answers. They are not judged, since fewer than 3 requests got them.',
  ]);
  const both = inOrder([...thrice, ...requested('d', 'execute', words, proper)]);
  expect(replacedRemarks(both)).toEqual([
    '4 of 8 answers of 2 operations were outside the contract (404, the first is #1); the same requests, sent again, got other answers. They came from a gateway, not the service, and are not judged.',
  ]);
});

test('what was there and is not found at times counts against the service from the third request of one operation on', () => {
  const found = { operation: 'getExecution', status: 200, body: example('getExecution', 'running') } as const;
  const listed = {
    operation: 'listExecutionFiles',
    status: 200,
    body: example('listExecutionFiles', 'files'),
  } as const;
  const missed = (step: string, then: Sketch = found) => [
    { ...then, status: proper[0], body: proper[1], at: 5000, mark: { step, excluded: true } } as const,
    { ...then, at: 6000, mark: { step } },
  ];
  const all = (...more: readonly Sketch[]) => inOrder([{ ...found, at: 0 }, ...more]);
  const thrice = [...missed('a'), ...missed('b'), ...missed('c')];
  expect(idsOf(ownReplaced(all(...thrice)))).toEqual([2, 4, 6]);
  expect(ownReplaced(all(...thrice.slice(2)))).toEqual([]);
  expect(ownReplaced(all(...thrice, ...missed('d', listed)))).toEqual([]);
  expect(ownReplaced(inOrder(thrice.map((one) => ({ ...one, at: 1000 }))))).toEqual([]);
  expect(replacedRemarks(all(...thrice.slice(2)))).toEqual([
    '2 of 5 answers of getExecution were not found, though it was there before (404, the first is #2); the same requests, sent again, got other answers. They are not judged, since fewer than 3 requests got them.',
  ]);
});

test('a right key that is refused at times counts against nobody, a note says how often, and wrong keys do not count', () => {
  const refused = (step: string, credential: 'primary' | 'invalid') =>
    [[401, false] as const, [credential === 'primary' ? 404 : 403, true] as const].map(
      ([status, isLast]): Sketch => ({
        operation: 'getExecution',
        status,
        body: { code: status, message: 'No.' },
        mark: {
          step,
          credential,
          probe: { rule: 'unknown-execution-is-404', fault: '', controls: [] },
          ...(!isLast && { excluded: true }),
        },
      }),
    );
  const thrice = ['a', 'b', 'c'].flatMap((step) => refused(step, 'primary'));
  expect(ownReplaced(inOrder(thrice))).toEqual([]);
  expect(replacedRemarks(inOrder(thrice))).toEqual([
    '3 of 6 answers of getExecution were refused, though their key is right (401, the first is #1); the same requests, sent again, got other answers. This is a limit, or an instance that does not know the key, and they are not judged.',
  ]);
  const wrong = ['a', 'b', 'c'].flatMap((step) => refused(step, 'invalid').toReversed());
  expect(replacedRemarks(inOrder(wrong))).toEqual([]);
});

/** A page in place of an answer to a valid request. */
const page = (status: number, headers: Sketch['headers'] = {}): Sketch => ({
  operation: 'updateProfile',
  status,
  headers,
  sent: { description: 'x' },
  rawBody: { kind: 'not-json', text: '<html>', error: 'no JSON', bytes: 6 },
  mark: {},
});
const updated: Sketch = { operation: 'updateProfile', status: 200, body: { id: ids.profile } };
const rejectedIn = (...all: readonly Sketch[]) =>
  excluded({ exchanges: inOrder(all), traces: [], profiles: [] }).map(({ exchanges }) => idsOf(exchanges));

test('a page is not judged beside proper answers of the operation, and is where the operation has no other answer', () => {
  expect(rejectedIn(page(403), updated)).toEqual([[1]]);
  expect(rejectedIn(page(403))).toEqual([]);
});

test('a page in place of a success of one operation is not judged if it says that it is a challenge', () => {
  expect(rejectedIn(page(202), updated)).toEqual([]);
  expect(rejectedIn(page(202, { 'cf-mitigated': 'challenge' }), updated)).toEqual([[1]]);
});
