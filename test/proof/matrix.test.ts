import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../conformance/engine/vocabulary.js';
import type { RuleId } from '../../generated/rules.js';
import type { Outcome } from '../../proof/cases.js';
import { killsOf, type Trial, trialProblems, unprovenProblems, variationProblems } from '../../proof/matrix.js';

const [one, two, three] = ['status-is-current', 'terminal-is-final', 'trigger-is-api'] as const satisfies RuleId[];
const rules = [{ id: one }, { id: two }, { id: three, where: 'triggerContext' }];

/** What is not told is passed. */
const outcome = (verdicts: Partial<Record<RuleId, Verdict>> = {}): Outcome => ({
  rules: rules.map(({ id }) => {
    const verdict = verdicts[id] ?? 'passed';
    return { id, verdict, why: verdict === 'passed' ? '' : 'Because.' };
  }),
});
const trial = (breaks: readonly RuleId[], verdicts?: Parameters<typeof outcome>[0]): Trial => ({
  id: 'fault',
  breaks,
  outcome: outcome(verdicts),
});
const rest = trial([one, two, three], { [one]: 'violated', [two]: 'violated', [three]: 'violated' });

const problemsOf = (register: typeof rules, trials: readonly Trial[]) => [
  ...trials.flatMap(trialProblems),
  ...unprovenProblems(register, trials),
];

describe('faults', () => {
  it('prove every rule where each breaks what it declares', () => {
    expect(problemsOf(rules, [rest, trial([two], { [two]: 'violated' })])).toEqual([]);
    expect(killsOf(rules, [{ ...rest, id: 'all' }, trial([two], { [two]: 'violated' })]).get(two)).toEqual([
      'all',
      'fault',
    ]);
  });

  it.each<[name: string, given: Trial, want: string[]]>([
    ['breaks nothing', trial([one]), ['fault breaks nothing.', `fault declares ${one}, which it leaves passed.`]],
    [
      'breaks what it does not declare',
      trial([one], { [one]: 'violated', [two]: 'violated' }),
      [`fault does not declare ${two}, which it leaves violated: Because.`],
    ],
    [
      'leaves unbroken what it declares',
      trial([one, two], { [one]: 'violated', [two]: 'inconclusive' }),
      [`fault declares ${two}, which it leaves inconclusive: Because.`],
    ],
    [
      'leaves nothing to judge',
      { ...trial([one]), outcome: { ...outcome(), unusable: 'The key is refused.' } },
      ['fault makes the service unusable: The key is refused.'],
    ],
  ])('are no proof where one %s', (_, given, want) => {
    expect(problemsOf(rules, [rest, given])).toEqual(want);
  });

  it('are no proof where a rule is broken by none', () => {
    expect(problemsOf(rules, [trial([one, two], { [one]: 'violated', [two]: 'violated' })])).toEqual([
      `${three} is broken by no fault.`,
    ]);
  });

  it('may leave other rules in doubt', () => {
    const doubtful = trial([one], { [one]: 'violated', [two]: 'inconclusive', [three]: 'untested' });
    expect(problemsOf(rules, [rest, doubtful])).toEqual([]);
  });
});

describe('ways to conform', () => {
  const vary = (usual: boolean, of: Outcome) => variationProblems(rules, [{ id: 'gap=way', usual, outcome: of }]);

  it('prove the suite right where every rule passes', () => {
    expect(vary(true, outcome())).toEqual([]);
    expect(vary(false, outcome({ [three]: 'untested' }))).toEqual([]);
  });

  it.each<[name: string, usual: boolean, given: Outcome, want: string]>([
    ['violated', false, outcome({ [one]: 'violated' }), `gap=way leaves ${one} violated: Because.`],
    ['in doubt', false, outcome({ [one]: 'inconclusive' }), `gap=way leaves ${one} inconclusive: Because.`],
    ['untested', false, outcome({ [one]: 'untested' }), `gap=way leaves ${one} untested: Because.`],
    ['conditional and violated', false, outcome({ [three]: 'violated' }), `gap=way leaves ${three} violated: Because.`],
    ['untested by default', true, outcome({ [three]: 'untested' }), `gap=way leaves ${three} untested: Because.`],
  ])('prove it wrong where a rule is %s', (_, usual, given, want) => {
    expect(vary(usual, given)).toEqual([want]);
  });

  it('may break what they declare to be warned of, and have to', () => {
    const warned = (verdicts: Parameters<typeof outcome>[0]) =>
      variationProblems(rules, [{ id: 'odd', usual: false, warns: [one], outcome: outcome(verdicts) }]);
    expect(warned({ [one]: 'violated' })).toEqual([]);
    expect(warned({})).toEqual([`odd leaves ${one} passed.`]);
    expect(warned({ [one]: 'violated', [two]: 'violated' })).toEqual([`odd leaves ${two} violated: Because.`]);
  });

  it('prove it wrong where a service is called unusable', () => {
    expect(vary(false, { ...outcome(), unusable: 'Everything alike.' })).toEqual([
      'gap=way is called unusable: Everything alike.',
    ]);
  });
});
