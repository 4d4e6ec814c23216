import { describe, expect, it } from 'vitest';
import { conclude, type Demands, type Outcome } from '../../../../conformance/engine/rule/verdicts.js';
import { summarize } from '../../../../conformance/engine/rule/violations.js';
import { verdict } from '../../../support/verdicts.js';
import { violation } from '../../../support/violations.js';

const passed = verdict({ id: 'execution-progresses', verdict: 'passed' });
const violations = [violation()];
const must = verdict({ id: 'terminal-is-final', verdict: 'violated', violations });
const should = verdict({ id: 'no-server-errors', level: 'SHOULD', verdict: 'violated', violations });
const untested = verdict({ id: 'metadata-is-recorded', verdict: 'untested' });
const inapplicable = verdict({ id: 'queued-starts-by-itself', verdict: 'not-applicable' });
const inconclusive = verdict({ id: 'queue-is-oldest-first', verdict: 'inconclusive' });
const knowing = ({ id }: typeof must) =>
  [{ rule: id, operation: 'run', signature: 'a refusal', reason: 'known' }] as const;
const unusable = { preflight: { usable: false, reason: 'Nothing listens there.' } } as const;
const gaps = [{ id: 'rate-limit-headers', observed: ['200'] }] as const;
const pins = { 'rate-limit-headers': ['204'] };

const concluded = (outcome: Partial<Outcome>, demands: Partial<Demands> = {}) =>
  conclude({ preflight: { usable: true }, rules: [], gaps: [], ...outcome }, { today: '2027-01-31', ...demands });

describe('a run ends with', () => {
  it.each<[string, number, string, Partial<Outcome>, Partial<Demands>?]>([
    ['conformant', 0, 'every rule passed', { rules: [passed] }],
    ['conformant', 0, 'rules are untested or not applicable', { rules: [passed, untested, inapplicable] }],
    ['conformant', 0, 'a SHOULD is violated', { rules: [passed, should] }],
    ['nonconformant', 1, 'a SHOULD is violated, strictly', { rules: [passed, should] }, { strict: true }],
    ['nonconformant', 1, 'a rule is violated', { rules: [passed, must] }],
    ['conformant', 0, 'the baseline knows what is violated', { rules: [passed, must] }, { baseline: knowing(must) }],
    [
      'conformant',
      0,
      'the baseline knows the violated SHOULD, strictly',
      { rules: [passed, should] },
      { strict: true, baseline: knowing(should) },
    ],
    ['nonconformant', 1, 'the baseline is out of date', { rules: [passed] }, { baseline: knowing(passed) }],
    ['nonconformant', 1, 'the baseline knows another', { rules: [passed, must] }, { baseline: knowing(untested) }],
    [
      'conformant',
      0,
      'the baseline knows an untested rule',
      { rules: [passed, untested] },
      { baseline: knowing(untested) },
    ],
    ['incomplete', 3, 'a rule could not be judged', { rules: [passed, inconclusive] }],
    [
      'conformant',
      0,
      'that rule is in the baseline as inconclusive',
      { rules: [passed, inconclusive] },
      { baseline: [{ rule: inconclusive.id, verdict: 'inconclusive', reason: 'known' }] },
    ],
    ['incomplete', 3, 'all were required, one is untested', { rules: [passed, untested] }, { requireAll: true }],
    [
      'conformant',
      0,
      'all were required, one is not applicable',
      { rules: [passed, inapplicable] },
      { requireAll: true },
    ],
    ['conformant', 0, 'as many were judged as were to be', { rules: [passed, untested] }, { minJudged: '1' }],
    ['conformant', 0, 'a part was judged, and that was to be', { rules: [passed, untested] }, { minJudged: '50%' }],
    ['incomplete', 3, 'fewer were judged', { rules: [passed, untested] }, { minJudged: '2' }],
    ['incomplete', 3, 'a smaller part was judged', { rules: [passed, untested] }, { minJudged: '51%' }],
    ['conformant', 0, 'what does not apply is no part', { rules: [passed, inapplicable] }, { minJudged: '100%' }],
    ['nonconformant', 1, 'fewer were judged, one is violated', { rules: [must, untested] }, { minJudged: '100%' }],
    ['incomplete', 3, 'nothing was judged', { rules: [untested, inapplicable] }],
    ['incomplete', 3, 'it was stopped', { rules: [passed], stopped: 'the run was stopped before its end' }],
    [
      'incomplete',
      3,
      'it was stopped at once',
      { ...unusable, rules: [untested], stopped: 'the run was stopped before its end' },
    ],
    [
      'nonconformant',
      1,
      'it was stopped after a rule was violated',
      { rules: [must, inconclusive], stopped: 'the run was stopped before its end' },
    ],
    ['nonconformant', 1, 'one is violated, one not judged', { rules: [must, inconclusive] }, { requireAll: true }],
    ['conformant', 0, 'a gap is filled in another way than pinned', { rules: [passed], gaps }, { pins }],
    ['nonconformant', 1, 'so it is, strictly', { rules: [passed], gaps }, { pins, strict: true }],
    ['unusable', 4, 'the target is no target', { ...unusable, rules: [untested] }],
    [
      'unusable',
      4,
      'so it is, whatever else',
      { ...unusable, rules: [must, inconclusive] },
      { baseline: knowing(passed) },
    ],
  ])('%s (%i) when %s', (want, exitCode, _, outcome, demands) => {
    expect(concluded(outcome, demands)).toMatchObject({ verdict: want, exitCode });
  });
});

describe('the reason names what the numbers do not:', () => {
  it.each<[string, Partial<Outcome>, Partial<Demands>?]>([
    ['Nothing listens there.', unusable],
    ['', { rules: [passed, must, inconclusive] }],
    ['', { rules: [passed, must] }, { baseline: knowing(must) }],
    [
      'The run was stopped before its end.',
      { rules: [passed, inconclusive], stopped: 'the run was stopped before its end' },
    ],
    ['Every rule was to be judged (--require-all).', { rules: [passed, untested] }, { requireAll: true }],
    [
      '1 of 2 rules were judged, and 2 were to be (--min-judged 80%).',
      { rules: [passed, untested] },
      { minJudged: '80%' },
    ],
    ['No rule was judged.', { rules: [untested] }],
    [
      'Not as pinned (--strict): rate-limit-headers was pinned as 204, and is now 200.',
      { rules: [passed], gaps },
      { pins, strict: true },
    ],
  ])('%j', (reason, outcome, demands) => {
    expect(concluded(outcome, demands).reason).toBe(reason);
  });
});

it('has notes on the baseline and the pins', () => {
  const { stale, remarks, sincePins } = concluded(
    { rules: [passed, untested], gaps },
    { baseline: [...knowing(passed), ...knowing(untested)], pins },
  );
  expect(stale).toEqual(['execution-progresses passes now']);
  expect(remarks).toEqual([expect.stringContaining('this run did not see it: metadata-is-recorded (untested).')]);
  expect(sincePins).toEqual(['rate-limit-headers was pinned as 204, and is now 200.']);
});

it('counts every rule once', () => {
  expect(summarize([passed, must, should, untested, inapplicable, inconclusive])).toEqual({
    passed: 1,
    violated: 1,
    warned: 1,
    untested: 1,
    notApplicable: 1,
    inconclusive: 1,
  });
});

it.each(['sixty', '', '-1', '50 %', 'NaN%'])('%j is not a number of rules', (minJudged) => {
  expect(() => concluded({}, { minJudged })).toThrow('minJudged is a number of rules or a share');
});
