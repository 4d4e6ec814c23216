import type { readRegister } from './register.js';
import type { Statement } from './statements.js';

type Register = ReturnType<typeof readRegister>;

/** The page that shows what covers each statement of the interface. */
export function traceabilityPage(register: Register): string {
  const { statements, sections } = register;
  const used = Object.keys(sections).filter((section) => statements.some(({ where }) => where === section));
  return `${[
    intro(statements),
    ...used.flatMap((section) => [
      `## ${sections[section]}`,
      table(
        ['Statement', 'Standing', 'What the interface says', 'Covered by'],
        statements
          .filter(({ where }) => where === section)
          .map((one) => [`\`${one.id}\``, one.standing, one.says, answersTo(one, register).join('<br>')]),
      ),
    ]),
  ].join('\n\n')}\n`;
}

const intro = (statements: readonly Statement[]): string => {
  const count = (standing: Statement['standing']) => statements.filter((one) => one.standing === standing).length;
  return `# Traceability: which rule covers which statement of the interface

Written by \`npm run generate\` from \`openapi/statements.yaml\` and \`openapi/rules.yaml\`. The command fails if nothing
covers a statement, or if a MUST rests on nothing that is stated.

The interface makes ${statements.length} statements. ${count('stated')} are **stated**, in words or in a table: a
contradiction may break a MUST. ${count('implied')} are **implied**: a contradiction breaks a SHOULD at most.
${count('open')} are **open**: the interface says nothing, so the suite observes a gap and demands nothing.`;
};

/** What covers a statement, by kind: rules with levels, gaps, rules for callers, exclusions, places of the contract. */
function answersTo({ id, contract = [] }: Statement, { rules, gaps, callers, excluded }: Register): string[] {
  const rests = ({ statements }: { statements: readonly string[] }) => statements.includes(id);
  const demanded = (entries: Register['callers']) => entries.filter(rests).map((one) => `\`${one.id}\` (${one.level})`);
  const answers: [kind: string, entries: string[]][] = [
    ['rule', demanded(rules)],
    ['rule for callers', demanded(callers)],
    ['gap', gaps.filter(rests).map((gap) => `\`${gap.id}\`${gap.observable === false ? ' (not observable)' : ''}`)],
    ['not judged', excluded.filter(rests).map(({ why }) => why)],
    ['contract', contract.map((place) => `\`${place}\``)],
  ];
  return answers.flatMap(([kind, entries]) => (entries.length > 0 ? [`${kind}: ${entries.join(', ')}`] : []));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
