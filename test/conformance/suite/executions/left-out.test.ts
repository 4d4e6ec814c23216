import { expect, test } from 'vitest';
import { nothingShown, notObservedReason } from '../../../../conformance/engine/rule/verdicts.js';
import { budgetSpent } from '../../../../conformance/engine/settings/needs.js';
import type { RuleVerdict } from '../../../../conformance/engine/vocabulary.js';
import { untestedIfLeftOut } from '../../../../conformance/suite/executions/left-out.js';

const oldest = ['capacity/queue-fails', 'capacity/queue-sync'];
const where = 'proxy';
const allow = 'To judge it, allow more than 12 executions (budget.executions).';

/** What is made of a rule that these two steps are for, of which some were chosen, and some sent. */
function of(
  verdict: Partial<RuleVerdict>,
  run: { readonly chosen?: readonly string[]; readonly sent?: readonly string[]; readonly isSpent?: boolean } = {},
  budget: { readonly executions?: number } = { executions: 12 },
): string {
  const { chosen = oldest, sent = chosen, isSpent = false } = run;
  const rule: RuleVerdict = {
    id: 'queue-is-oldest-first',
    level: 'MUST',
    verdict: 'inconclusive',
    observations: 0,
    why: nothingShown,
    exchanges: [],
    violations: [],
    operations: {},
    ...verdict,
  };
  const { verdict: now, why } = untestedIfLeftOut(rule, where, {
    chosen: { steps: new Set(chosen), possibleFor: () => oldest },
    sent: new Set(sent),
    halts: isSpent ? [{ why: budgetSpent(12) }] : [],
    facts: { budget: { copies: 5, ...budget } },
  });
  return `${now}: ${why}`;
}

const some = oldest.slice(0, 1);

test.each([
  [
    'where none of its steps was chosen, they are named',
    of({}, { chosen: [] }),
    `untested: ${allow} Not started: ${oldest.join(', ')}.`,
  ],
  ['where one was chosen, another may have shown more', of({}, { chosen: some }), `untested: ${allow}`],
  ['where all were sent, nothing was left out', of({}), `inconclusive: ${nothingShown}`],
  [
    'what only repeats is no matter of a budget that nobody gave',
    of({}, { chosen: some }, {}),
    `inconclusive: ${nothingShown}`,
  ],
  [
    'where the budget was spent before they were sent, they are named',
    of({}, { sent: [], isSpent: true }),
    `untested: ${allow} Not started: ${oldest.join(', ')}.`,
  ],
  [
    'what is in doubt for another reason stays so',
    of({ unclear: 1, why: 'still running' }, { chosen: some, isSpent: true }),
    'inconclusive: still running',
  ],
  [
    'nor is it for want of executions that a journey ended',
    of({ why: `${nothingShown} No run was seen to end.` }, { chosen: some }),
    `inconclusive: ${nothingShown} No run was seen to end.`,
  ],
  [
    'what was observed is not left out',
    of({ observations: 1, why: 'still running' }, { chosen: [] }),
    'inconclusive: still running',
  ],
  [
    'where the target showed nothing of it, and could not, it was left out',
    of({ verdict: 'untested', why: notObservedReason(where) }, { chosen: [] }),
    `untested: ${allow} Not started: ${oldest.join(', ')}.`,
  ],
  [
    'where it could, it showed none',
    of({ verdict: 'untested', why: notObservedReason(where) }, { chosen: some }),
    `untested: ${notObservedReason(where)}`,
  ],
  [
    'what needs something else stays untested for that',
    of({ verdict: 'untested', why: 'no key' }, { chosen: [] }),
    'untested: no key',
  ],
  ['a verdict is one', of({ verdict: 'passed', observations: 3, why: '' }, { chosen: [] }), 'passed: '],
])('%s', (_, now, expected) => expect(now).toBe(expected));
