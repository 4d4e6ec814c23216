import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../conformance/engine/vocabulary/report.js';
import type { RuleId } from '../../generated/rules.js';
import type { Outcome } from '../../proof/cases.js';
import { compareWithFrozen } from '../../proof/frozen.js';
import {
  alarmsIn,
  hasWayOut,
  inconclusiveIn,
  killsOf,
  type Trial,
  trialProblems,
  unprovenProblems,
  variationProblems,
} from '../../proof/matrix.js';

const [one, two, three] = ['status-is-current', 'terminal-is-final', 'trigger-is-api'] as const satisfies RuleId[];
const rules = [{ id: one }, { id: two }, { id: three, where: 'triggerContext' }];

/** What is not told is passed. */
const outcome = (verdicts: Partial<Record<RuleId, Verdict>> = {}, notes: readonly string[] = []): Outcome => ({
  notes,
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

it('a violated MUST of a service that conforms is an alarm, and a SHOULD or an inconclusive rule is none', () => {
  const levels = [
    { id: one, level: 'MUST' as const },
    { id: two, level: 'SHOULD' as const },
  ];
  const odd = {
    id: 'odd',
    usual: false,
    outcome: outcome({ [one]: 'violated', [two]: 'violated', [three]: 'violated' }),
  };
  const slow = { id: 'slow', usual: false, outcome: outcome({ [one]: 'inconclusive' }) };
  expect(alarmsIn(levels, [odd, slow])).toEqual([`odd leaves ${one} violated: Because.`]);
});

describe('faults', () => {
  it('prove every rule when each violates the rules that it declares', () => {
    expect(problemsOf(rules, [rest, trial([two], { [two]: 'violated' })])).toEqual([]);
    expect(killsOf(rules, [{ ...rest, id: 'all' }, trial([two], { [two]: 'violated' })]).get(two)).toEqual([
      'all',
      'fault',
    ]);
  });

  it.each<[name: string, given: Trial, want: string[]]>([
    ['breaks nothing', trial([one]), [`fault declares ${one}, which it leaves passed.`]],
    [
      'violates a rule that it does not declare',
      trial([one], { [one]: 'violated', [two]: 'violated' }),
      [`fault does not declare ${two}, which it leaves violated: Because.`],
    ],
    [
      'does not violate a rule that it declares',
      trial([one, two], { [one]: 'violated', [two]: 'untested' }),
      [`fault declares ${two}, which it leaves untested: Because.`],
    ],
    [
      'leaves no exchanges to judge',
      { ...trial([one]), outcome: { ...outcome(), unusable: 'The key is refused.' } },
      ['fault makes the service unusable: The key is refused.'],
    ],
  ])('do not prove the rules if one %s', (_, given, want) => {
    expect(problemsOf(rules, [rest, given])).toEqual(want);
  });

  it('do not prove the rules if no fault violates one of them', () => {
    expect(problemsOf(rules, [trial([one, two], { [one]: 'violated', [two]: 'violated' })])).toEqual([
      `${three} is violated by no fault.`,
    ]);
  });

  it('may leave other rules inconclusive', () => {
    const doubtful = trial([one], { [one]: 'violated', [two]: 'inconclusive', [three]: 'untested' });
    expect(problemsOf(rules, [rest, doubtful])).toEqual([]);
  });
});

describe('variants', () => {
  const vary = (usual: boolean, of: Outcome) => variationProblems(rules, [{ id: 'gap=way', usual, outcome: of }]);

  it('prove the suite right when every rule passes', () => {
    expect(vary(true, outcome())).toEqual([]);
    expect(vary(false, outcome({ [three]: 'untested' }))).toEqual([]);
  });

  it.each<[name: string, usual: boolean, given: Outcome, want: string]>([
    ['violated', false, outcome({ [one]: 'violated' }), `gap=way leaves ${one} violated: Because.`],
    ['inconclusive', false, outcome({ [one]: 'inconclusive' }), `gap=way leaves ${one} inconclusive: Because.`],
    ['untested', false, outcome({ [one]: 'untested' }), `gap=way leaves ${one} untested: Because.`],
    ['conditional and violated', false, outcome({ [three]: 'violated' }), `gap=way leaves ${three} violated: Because.`],
    ['untested by default', true, outcome({ [three]: 'untested' }), `gap=way leaves ${three} untested: Because.`],
  ])('prove it wrong when a rule is %s', (_, usual, given, want) => {
    expect(vary(usual, given)).toEqual([want]);
  });

  it('must violate the rules that they declare as warnings', () => {
    const warned = (verdicts: Parameters<typeof outcome>[0]) =>
      variationProblems(rules, [{ id: 'odd', usual: false, warns: [one], outcome: outcome(verdicts) }]);
    expect(warned({ [one]: 'violated' })).toEqual([]);
    expect(warned({})).toEqual([`odd leaves ${one} passed.`]);
    expect(warned({ [one]: 'violated', [two]: 'violated' })).toEqual([`odd leaves ${two} violated: Because.`]);
  });

  it('may leave a rule inconclusive during a disturbance, with a reason and a way out', () => {
    const disturbed = (why: string, verdicts: Parameters<typeof outcome>[0]) =>
      variationProblems(rules, [
        {
          id: 'limited',
          usual: false,
          disturbed: true,
          warns: [two],
          outcome: { rules: outcome(verdicts).rules.map((rule) => ({ ...rule, why })) },
        },
      ]);
    const decided = { [two]: 'violated' } as const;
    const why = 'No answer came. To judge it, run again with --only.';
    expect(disturbed(why, { ...decided, [one]: 'inconclusive' })).toEqual([]);
    expect(disturbed(why, { [one]: 'inconclusive', [two]: 'inconclusive' })).toEqual([]);
    expect(disturbed(why, { ...decided, [one]: 'violated' })).toEqual([`limited leaves ${one} violated: ${why}`]);
    expect(disturbed(why, { ...decided, [one]: 'untested' })).toEqual([`limited leaves ${one} untested: ${why}`]);
    expect(disturbed('No answer.', { ...decided, [one]: 'inconclusive' })).toEqual([
      `limited leaves ${one} inconclusive: No answer.`,
    ]);
  });

  it.each([
    ['No answer came. To judge it, run again with --only.', true],
    ['To judge it, correct the pool in the target file: the service has nothing with this id.', true],
    ['No answer came.', false],
    ['To judge it, run again.', false],
    ['', false],
  ])('%o has a reason and a way out: %s', (why, says) => {
    expect(hasWayOut(why)).toBe(says);
  });

  it('have the notes that they declare, and no others', () => {
    const noted = (...notes: string[]) =>
      variationProblems(rules, [{ id: 'odd', usual: false, notes: [/late/], outcome: outcome({}, notes) }]);
    expect(noted('It is late.', 'Not started: workflows.pauses.')).toEqual([]);
    expect(noted('It is early.')).toEqual([
      'odd is reported without the note late',
      'odd is reported with another note: It is early.',
    ]);
    expect(vary(true, outcome({}, ['It is late.']))).toEqual(['gap=way is reported with another note: It is late.']);
  });

  it('prove the suite wrong when it calls a service unusable', () => {
    expect(vary(false, { ...outcome(), unusable: 'Everything alike.' })).toEqual([
      'gap=way is called unusable: Everything alike.',
    ]);
  });
});

describe('an inconclusive rule', () => {
  const disturbed = (id: string, verdicts: Parameters<typeof outcome>[0]) => ({
    id,
    usual: false,
    disturbed: true,
    outcome: outcome(verdicts),
  });
  const many = (count: number, verdicts: Parameters<typeof outcome>[0]) =>
    Array.from({ length: count }, (_, n) => disturbed(`limited-${n}`, verdicts));
  const open = { [one]: 'inconclusive' } as const;

  it('is counted in disturbances, and for faults that declare it', () => {
    const quiet = { ...disturbed('quiet', open), disturbed: false };
    const faults = [trial([one], open), trial([two], { ...open, [two]: 'violated' })];
    const found = inconclusiveIn(faults, [quiet, disturbed('lost', open), disturbed('well', {})], 100);
    expect(found).toMatchObject({ surroundings: [{ id: 'lost', rules: [{ id: one }] }], ruleCount: 1 });
    expect(found).toMatchObject({ faults: ['fault'], problems: [] });
  });

  it('is a problem in more than 16 disturbances, 70 rules, or one fault of a hundred', () => {
    const all = { ...open, [two]: 'inconclusive', [three]: 'inconclusive' } as const;
    const problems = (...given: Parameters<typeof inconclusiveIn>) => inconclusiveIn(...given).problems;
    expect(problems([trial([one], open)], many(16, open), 100)).toEqual([]);
    expect(problems([trial([one], open)], many(24, all), 99)).toEqual([
      '24 surroundings are inconclusive: at most 16 may be.',
      '72 rules in surroundings are inconclusive: at most 70 may be.',
      '1 faults are inconclusive: at most 0 may be.',
    ]);
  });
});

describe('frozen faults', () => {
  const of = (id: string, verdicts: Parameters<typeof outcome>[0]): Trial => ({ ...trial([one], verdicts), id });
  const faults = new Map([
    ['late', [one, two]],
    ['lost', [one]],
    ['odd', [two]],
  ]);

  it('are compared with the rules that are found violated, whatever they declare now', () => {
    const tried = [of('late', { [one]: 'violated' }), of('odd', { [two]: 'violated' })];
    const found = compareWithFrozen(tried, true, faults);
    expect(found).toMatchObject({ found: 1, of: 3 });
    expect(found.differences).toEqual([
      `late violated ${one}, ${two} when it was frozen, and violates ${one} now.`,
      `lost violated ${one} when it was frozen, and violates nothing now.`,
    ]);
    expect(found.problems).toEqual(['2 faults are not found as frozen: at most 0 may be.']);
  });

  it('count if they were tried, and new faults do not count', () => {
    expect(compareWithFrozen([of('lost', { [one]: 'violated' }), of('new', {})], false, faults)).toEqual({
      found: 1,
      of: 1,
      differences: [],
      problems: [],
    });
  });
});
