/** The page docs/proof.md. */

import { choiceSets, choices, faults, faultTopics, variations } from '../deviations/index.js';
import { rules } from '../generated/rules.js';
import { cases } from './cases.js';
import type { Variation } from './matrix.js';
import storedScores from './mutation/scores.json' with { type: 'json' };
import { section } from './mutation/survivors.js';
import type { Proof } from './prove.js';
import { matrixText } from './terminal.js';

/** Without the default choices, which have a line of their own. */
const choiceCount = cases.filter((of) => 'choices' in of).length - 1;

/** The text of docs/proof.md, true only of a proof without problems: it shows what faults declare. */
export const markdown = (proof: Proof): string =>
  `${[
    intro(),
    '## The kill matrix',
    'How many faults break a rule, by what they are about.',
    ['```text', matrixText(proof), '```'].join('\n'),
    '## Mutants',
    mutants(),
    '## Every fault, and the rules that it breaks',
    ...Object.entries(faultTopics).flatMap(([topic, ofTopic]) => [
      `### ${capital(topic)}`,
      table(
        ['Fault', 'What the service does', 'Breaks'],
        ofTopic.map(({ id, says, breaks }) => [code(id), says, breaks.map(withLevel).join(', ')]),
      ),
    ]),
    '## Every way to conform',
    `Each value beside the default of all others. None is called a violation, and none leaves a rule in doubt. The sets
${list(Object.keys(choiceSets))} fill many gaps at once, and hold as well.`,
    table(
      ['Gap', 'Values'],
      Object.entries(choices).map(([gap, { values }]) => [code(gap), list(Object.keys(values))]),
    ),
    'Each of these is odd, and no less conformant.',
    table(
      ['Variation', 'What the service does', 'Warned of'],
      variations.map(({ id, says, warns = [] }) => [code(id), says, list(warns)]),
    ),
    `Some rules speak of what a service may leave out. Where it does, they stay untested, and the report says so:`,
    table(['Variation', 'Untested'], proof.variations.flatMap(untested)),
  ].join('\n\n')}\n`;

const intro = (): string => `# Proof

Written by \`npm run prove -- --write\`; \`npm run prove -- --check\` repeats all of it, as CI does, and fails where this page
is out of date. The proof runs on a clock of its own, so unchanged sources prove the same again: there \`npm run test:all\`
repeats a sample, chosen anew each time, and says which.

A conformance suite can be wrong in two ways: it can miss what is broken, and it can call broken what is not. Neither
shows in a run that passes. So the suite is held against services of which it is known what it must say.

| Held against | How many | What the suite must say |
| --- | ---: | --- |
| The reference service | 1 | all ${rules.length} rules pass, each with at least one observation that could have broken it |
| The reference service with one fault | ${faults.length} | exactly the rules that the fault declares are violated, and no other |
| The reference service with the gaps of the interface filled in another way | ${choiceCount} | no rule is violated, and none is in doubt |
| The reference service in ways that are odd and conformant | ${variations.length} | no rule is violated but a SHOULD that the variation declares, and none is in doubt |

The proof fails when a fault breaks nothing, when it breaks a rule that it does not declare, when it leaves a rule unbroken
that it declares, and when there is a rule that no fault breaks.

A fault that breaks nothing but rules of the level SHOULD is a way to conform as well: what it contradicts is implied, and
not stated, so that the suite warns of it and calls the service conformant. There are
${faults.filter(({ breaks }) => breaks.every((id) => shoulds.has(id))).length} of them.

A fault is a small deviation, hooked in at one place: the service does what the interface rules in a flat record of small
functions (\`reference/behaviour/\`), and a fault (\`deviations/faults/\`) replaces one or two of them. The whole suite runs
against each service, with nothing left out, in process and on a clock that skips the waiting (\`proof/\`).

What it does not show: that a fault of a kind that nobody thought of is found. And a target file can leave the suite less
to go by than the reference service does. To see that a synchronous call outlasts its wait, for instance, the workflow
\`slow\` has to run for more than one second and \`latencyGraceMs\` together.`;

/** The results of `npm run mutate`, which takes hours and is therefore run separately. */
function mutants(): string {
  const { rows, why } = section(storedScores);
  return [
    `The faults above were thought of by somebody. \`npm run mutate\` changes the reference service in every small way that Stryker
knows, with the suite as its only test: a mutant is found where the suite says of it what it may not say of a conformant
service, in any of the sets ${list(Object.keys(choiceSets))}. What survives is explained, or the command fails.`,
    table(['File', 'Mutants', 'Found', 'Do not end', 'Survive', 'Score'], rows),
    'Why the interface cannot show what is left, and how many that explains; `proof/mutation/scores.json` lists them:',
    why.join('\n'),
  ].join('\n\n');
}

const untested = ({ id, outcome }: Variation): string[][] => {
  const left = outcome.rules.filter(({ verdict }) => verdict === 'untested').map((rule) => rule.id);
  return left.length > 0 ? [[code(id), list(left)]] : [];
};

const shoulds = new Set<string>(rules.filter(({ level }) => level === 'SHOULD').map(({ id }) => id));
const withLevel = (id: string): string => (shoulds.has(id) ? `${code(id)} (SHOULD)` : code(id));
const code = (text: string): string => `\`${text}\``;
const list = (texts: readonly string[]): string => texts.map(code).join(', ');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
