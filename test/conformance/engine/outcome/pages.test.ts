import { expect, test } from 'vitest';
import { pagesUpTo, queryOfNext, wholeLists } from '../../../../conformance/engine/outcome/pages.js';
import { exchange } from '../../../support/evidence.js';
import { listThings } from '../../../support/made-up.js';

function* seconds() {
  for (let at = 0; ; at += 1000) yield at;
}
const times = seconds();
/** A page, which was asked for with `from`, and says `next`. */
const page = (from: string | undefined, next?: unknown, more: object = {}) =>
  exchange({
    operation: listThings,
    query: { size: '2', ...(from !== undefined && { from }) },
    status: 200,
    body: { next },
    at: times.next().value ?? 0,
    ...more,
  });

test.each<[string, ReturnType<typeof page>, object | undefined]>([
  ['the first', page(undefined, 'b'), { size: '2', from: 'b' }],
  ['another', page('b', 'c'), { size: '2', from: 'c' }],
  ['the last', page('c'), undefined],
  ['the last, which says null', page('c', null), undefined],
  ['one that is itself the next', page('c', 'c'), undefined],
  ['a refusal', page(undefined, 'b', { status: 404 }), undefined],
])('the page after %s is asked for with the same query', (_, one, query) => {
  expect(queryOfNext(one)).toEqual(query);
});

test('what comes in no pages has none after it', () => {
  expect(queryOfNext(exchange({ operation: 'getExecution', status: 200, body: { next: 'b' } }))).toBeUndefined();
});

test('a list is all its pages, of which the latest that said so comes before', () => {
  const [old, first, second, third] = [page(undefined, 'b'), page(undefined, 'b'), page('b', 'c'), page('c')];
  const all = [old, first, second, third] as const;
  expect(pagesUpTo(second, all)).toEqual([first, second]);
  expect(wholeLists(all)).toEqual([[first, second, third]]);
});

test('a list of which a page was not seen is none', () => {
  expect(wholeLists([page(undefined, 'b'), page('c')])).toEqual([]);
  expect(wholeLists([page('b', 'c'), page('c')])).toEqual([]);
});
