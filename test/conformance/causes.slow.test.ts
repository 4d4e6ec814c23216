import { expect, test } from 'vitest';
import { causesOf } from '../../conformance/engine/rule/causes.js';
import { checkInProcess } from '../../proof/in-process.js';

const causes = async (...faults: string[]) => {
  const { rules, evidence } = await checkInProcess({ faults });
  return causesOf(rules, evidence.exchanges);
};

test.each([
  ['updates-are-not-stored', 10, /^answers 200 of updateProfile$/],
  ['errors-are-html', 5, /not JSON/],
  ['duplicates-are-cut-off', 3, /^#\d+, duplicateProfile answered 201$/],
  ['inputs-are-of-the-latest-start', 3, /^the field/],
])('the fault %s breaks rules for one cause', async (fault, rules, what) => {
  const [first, ...others] = await causes(fault);
  expect(first?.what).toMatch(what);
  expect(first?.rules.length).toBeGreaterThanOrEqual(rules);
  expect(others).toEqual([]);
});

test('faults that have nothing to do with each other have causes of their own', async () => {
  const found = await causes('updates-are-not-stored', 'errors-are-html', 'pools-stay');
  const ofRule = (id: string) => found.filter(({ rules }) => rules.includes(id)).map(({ what }) => what);
  expect(ofRule('update-applies')).toEqual(['answers 200 of updateProfile']);
  expect(ofRule('responses-are-json')).toEqual([expect.stringMatching(/not JSON/)]);
  expect(ofRule('deleted-pool-is-gone')).toEqual([expect.stringMatching(/^#\d+, deletePool answered 204$/)]);
  expect(found.map(({ rules }) => rules.length)).toEqual(
    found.map(({ rules }) => rules.length).toSorted((a, b) => b - a),
  );
});
