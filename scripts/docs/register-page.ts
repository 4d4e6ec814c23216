import type { Register } from '../generate/register.js';

/** The register as Markdown: what a reader of the contract finds beside the operations. */
export function registerMarkdown({ rules, gaps, callers }: Register): string {
  return `# Rules

What the interface demands of a service. A broken MUST fails a run of \`workflow-contract check\`, a broken SHOULD warns.

${table(
  ['Rule', 'Level', 'Says'],
  rules.map(({ id, level, says, on, effect }) => [id, level, `${says} *${operations(on)}; effect: ${effect}*`]),
)}

# Gaps

What the interface leaves open. Nothing is demanded here; a run reports what it observed.

${table(
  ['Gap', 'Question'],
  gaps.map(({ id, asks }) => [id, asks]),
)}

# Rules for callers

What the interface demands of those who call a service. They are judged on recorded traffic.

${table(
  ['Rule', 'Level', 'Says'],
  callers.map(({ id, level, says, on }) => [id, level, `${says} *${operations(on)}*`]),
)}
`;
}

const operations = (on: readonly string[] | 'all') => (on === 'all' ? 'every operation' : on.join(', '));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
