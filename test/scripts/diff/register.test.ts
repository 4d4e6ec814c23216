import { expect, it } from 'vitest';
import { type Register, registerDifferences } from '../../../scripts/diff/register.js';

const must = { id: 'a', level: 'MUST', on: ['execute'], says: 'It is.', statements: ['s'] } as const;
const should = { ...must, level: 'SHOULD' } as const;
const stated = { id: 's', standing: 'stated', by: 'rule', says: 'It is so.' } as const;
const implied = { ...stated, standing: 'implied' } as const;
const ofCallers = { ...stated, by: 'caller' } as const;
const gap = { id: 'g', asks: 'Is it?', statements: ['s'] };

type Breaks = 'callers' | 'services' | undefined;

it.each<[name: string, before: Register, after: Register, told: [says: RegExp, breaks: Breaks][]]>([
  ['a MUST that appears', { rules: [] }, { rules: [must] }, [[/^A new MUST: It is\.$/, 'services']]],
  ['a MUST that disappears', { rules: [must] }, { rules: [] }, [[/^The MUST is gone: It is\.$/, 'callers']]],
  ['a SHOULD that appears', {}, { rules: [should] }, [[/^A new SHOULD/, undefined]]],
  ['a SHOULD that disappears', { rules: [should] }, {}, [[/^The SHOULD is gone/, undefined]]],
  [
    'a MUST that becomes a SHOULD',
    { rules: [must] },
    { rules: [should] },
    [[/^It was a MUST and is a SHOULD/, 'callers']],
  ],
  [
    'a SHOULD that becomes a MUST',
    { rules: [should] },
    { rules: [must] },
    [[/^It was a SHOULD and is a MUST/, 'services']],
  ],
  [
    'a MUST on one operation fewer',
    { rules: [{ ...must, on: ['execute', 'executeSync'] }] },
    { rules: [must] },
    [[/no longer on executeSync/, 'callers']],
  ],
  [
    'a MUST on all operations that was on one',
    { rules: [must] },
    { rules: [{ ...must, on: 'all' }] },
    [[/is on all other operations now/, 'services']],
  ],
  [
    'a MUST on one operation that was on all',
    { rules: [{ ...must, on: 'all' }] },
    { rules: [must] },
    [[/no longer on all other operations/, 'callers']],
  ],
  [
    'a MUST in other words',
    { rules: [must] },
    { rules: [{ ...must, says: 'It was.' }] },
    [[/^says: It is\. → It was\.$/, undefined]],
  ],
  ['a MUST for callers that appears', {}, { callers: [must] }, [[/^A new MUST/, 'callers']]],
  ['a MUST for callers that disappears', { callers: [must] }, {}, [[/^The MUST is gone/, 'services']]],
  ['a gap that closes', { gaps: [gap] }, {}, [[/^The gap is closed\. It asked: Is it\?$/, undefined]]],
  ['a gap that opens', {}, { gaps: [gap] }, [[/^A new gap: Is it\?$/, undefined]]],
  ['a statement that is removed', { statements: [stated] }, {}, [[/^It is stated no more: It is so\.$/, 'callers']]],
  [
    'a stated statement that becomes implied',
    { statements: [stated] },
    { statements: [implied] },
    [[/^It was stated and is implied/, 'callers']],
  ],
  [
    'an implied statement that becomes stated',
    { statements: [implied] },
    { statements: [stated] },
    [[/^It was implied and is stated/, 'services']],
  ],
  ['an implied statement that is removed', { statements: [implied] }, {}, [[/^It is implied no more/, undefined]]],
  [
    'a statement about callers that becomes stated',
    {},
    { statements: [ofCallers] },
    [[/^It is stated now/, 'callers']],
  ],
  [
    'a statement about callers that is removed',
    { statements: [ofCallers] },
    {},
    [[/^It is stated no more/, 'services']],
  ],
])('%s is reported, with whom it breaks', (_name, before, after, told) => {
  expect([...registerDifferences(before, after)].map(({ says, breaks }) => [says, breaks])).toEqual(
    told.map(([says, breaks]) => [expect.stringMatching(says), breaks]),
  );
});

it('a rule for callers that is on a new operation as well breaks none of them', () => {
  const demand = { id: 'a-caller', level: 'MUST', says: 'It keeps this.' } as const;
  const of = (...on: string[]) => ({ callers: [{ ...demand, on }] });
  const breaks = (further: readonly string[]) =>
    [...registerDifferences(of('execute'), of('execute', 'wait'), further)].map((one) => one.breaks);
  expect(breaks(['wait'])).toEqual([undefined]);
  expect(breaks([])).toEqual(['callers']);
});
