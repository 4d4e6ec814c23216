import { expect, test } from 'vitest';
import { whyLeftOut } from '../../../../conformance/suite/wanted.js';

const oldest = ['capacity/queue-fails', 'capacity/queue-sync'];
const allow = (most: number) => `allow more than ${most} executions (budget.executions)`;

interface Seen {
  readonly chosen?: readonly string[];
  readonly sent?: readonly string[];
  readonly isSpent?: boolean;
  readonly isUnexplained?: boolean;
  readonly executions?: number;
}

/** Why nothing was seen of a rule that these two steps serve, of which some were chosen, and some sent. */
function of({ chosen = oldest, sent = chosen, isSpent = false, isUnexplained = true, executions = 12 }: Seen) {
  return whyLeftOut({
    chosen: { steps: new Set(chosen), possibleFor: () => oldest },
    sent: new Set(sent),
    halts: isSpent ? [{ why: 'The budget is spent.', spent: 'executions' }] : [],
    facts: { budget: { copies: 5, executions } },
  })('queue-is-oldest-first', isUnexplained);
}

const some = oldest.slice(0, 1);

test.each<[string, Seen, string | undefined]>([
  ['none of its steps was chosen', { chosen: [] }, allow(12)],
  ['one of them was chosen: the other may exercise more', { chosen: some }, allow(12)],
  ['all were sent: none is named', {}, undefined],
  ['one was not chosen within the default budget: it only repeats', { chosen: some, executions: 32 }, undefined],
  ['the budget was spent before they were sent', { sent: [], isSpent: true }, allow(12)],
  ['one was chosen, and another reason applies', { chosen: some, isUnexplained: false }, undefined],
  ['none was chosen, whatever other reason applies', { chosen: [], isUnexplained: false }, allow(12)],
])('%s', (_, seen, expected) => expect(of(seen)).toBe(expected));
