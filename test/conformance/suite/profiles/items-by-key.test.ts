import { expect, test } from 'vitest';
import type { Fields } from '../../../../conformance/engine/outcome/read.js';
import { sameId } from '../../../../conformance/engine/rule/values.js';
import { cookies, credentials } from '../../../../conformance/suite/profiles/lists.js';
import { sameSetting, withId } from '../../../../conformance/suite/profiles/settings.js';

const names = ['session', ' session', 'Session', 'Süd', 'Su\u0308d', '', 5, null, undefined, ['a'], { a: 1 }];
const domains = ['a.example', '.A.example', 'a.example ', 'b.example', 7, null];
const items: Fields[] = names.flatMap((name) =>
  domains.map((domain, place) => ({
    id: [`A${place}`, `a${place}`, place][place % 3],
    name,
    domain,
    data: 'x',
    key: 'k',
    value: 'v',
    httpOnly: true,
    secure: true,
  })),
);

test.each([cookies, credentials])(
  'candidates for $name in a long list are the same as in a full comparison',
  (list) => {
    const ways = [list.same, list.replaces, (a: Fields, b: Fields) => list.shows(a, b, 0)];
    for (const item of items)
      for (const is of ways)
        expect(list.likely(items, item).filter((one) => is(item, one))).toEqual(items.filter((one) => is(item, one)));
  },
);

test('items with an id in a long list are the same as in a full comparison', () => {
  for (const item of items)
    expect(withId(items, item).filter((one) => sameId(one.id, item.id))).toEqual(
      items.filter((one) => sameId(one.id, item.id)),
    );
});

test.each(['cookies', 'credentials'] as const)('%s are equal in any order, and each counts once', (setting) => {
  const some = ['a', 'b', 'b'].map((name, place) => ({ name, domain: 'a.example', id: `i${place}` }));
  expect(sameSetting(setting, some, some.toReversed())).toBe(true);
  expect(sameSetting(setting, some, [some[0], some[1], some[1]])).toBe(false);
});
