import { scripts } from '../../certify/scripts.js';
import { callers } from '../../generated/rules.js';
import { badCallers } from './bad-callers.js';

const list = (ids: readonly string[]): string => ids.map((id) => `\`${id}\``).join(', ');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** The text of docs/callers-proof.md, which shows that the rules for callers can be kept and broken. */
export const callersPage = (): string => `# Proof of the rules for callers

Written by \`npm run callers -- --write\`. [certify](callers.md) puts a caller into ${scripts.length} situations and judges it by ${callers.length} rules.
The client of this package passes all of them, and so does a caller without a library. Callers that go wrong, each in one
way, break the rules below and no others.

## Rules

${table(
  ['rule', 'level', 'scripts that show it', 'broken by'],
  callers.map(({ id, level }) => [
    `\`${id}\``,
    level,
    list(scripts.filter(({ rules }) => rules.includes(id)).map((script) => script.id)),
    list(badCallers.filter(({ breaks }) => breaks.includes(id)).map((one) => one.id)),
  ]),
)}
## Ways in which callers go wrong

${table(
  ['caller', 'what it does', 'breaks'],
  badCallers.map(({ id, says, breaks }) => [`\`${id}\``, says, list(breaks)]),
)}`;
