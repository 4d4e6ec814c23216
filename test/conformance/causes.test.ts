import { expect, test } from 'vitest';
import { causesOf } from '../../conformance/engine/rule/violations.js';
import { checkInProcess } from '../../proof/in-process.js';
import { profileAlone } from '../support/interrupted.js';
import { type Declared, usualTarget } from '../support/usual-run.js';

const causes = async (faults: readonly string[], declared: Declared) => {
  const target = usualTarget(declared);
  const { rules, evidence } = await checkInProcess({ faults }, { target });
  return causesOf(rules, evidence.exchanges);
};

test.each<[string, number, RegExp, Declared]>([
  ['errors-are-html', 5, /not JSON/, { allow: 'read' }],
  ['duplicates-are-cut-off', 3, /^#\d+, duplicateProfile answered 201$/, profileAlone],
])('the fault %s violates rules with one cause', async (fault, rules, what, declared) => {
  const [first, ...others] = await causes([fault], declared);
  expect(first?.what).toMatch(what);
  expect(first?.rules.length).toBeGreaterThanOrEqual(rules);
  expect(others).toEqual([]);
});

test('independent faults have causes of their own', async () => {
  const found = await causes(['updates-are-not-stored', 'errors-are-html'], profileAlone);
  const ofRule = (id: string) => found.filter(({ rules }) => rules.includes(id)).map(({ what }) => what);
  expect(ofRule('update-applies')[0]).toMatch(/^#\d+, updateProfile answered 200$/);
  expect(ofRule('responses-are-json')).toEqual([expect.stringMatching(/not JSON/)]);
  expect(found.map(({ rules }) => rules.length)).toEqual(
    found.map(({ rules }) => rules.length).toSorted((a, b) => b - a),
  );
});

test('a refused key is explained by its violated rule, without a note beside it', async () => {
  const target = usualTarget({ allow: 'read' });
  const { rules, remarks } = await checkInProcess({ faults: ['keys-count-in-x-api-key-alone'] }, { target });
  const broken = rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  expect(broken).toEqual(['key-is-taken-where-shown']);
  expect(remarks.join()).not.toMatch(/rate limit|does not know the key/);
});
