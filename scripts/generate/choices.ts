import { readFile } from 'node:fs/promises';
import { choices } from '../../reference/choices.js';

const page = new URL('../../docs/reference.md', import.meta.url);
const table = /(?<=<!-- choices: .* -->\n\n).*(?=\n\n<!-- \/choices -->)/s;

/** The guide to the reference service, with a current table of choices: each with its default first. */
export async function withChoices(): Promise<string> {
  const rows = Object.entries(choices).map(([id, { values, default: usual, why }]) => {
    const sorted = Object.entries(values).sort(([a], [b]) => Number(b === usual) - Number(a === usual));
    const ways = sorted.map(([value, meaning]) => `\`${value}\`: ${meaning}`).join('<br>');
    return `| \`${id}\` | ${ways} | ${why} |`;
  });
  const text = await readFile(page, 'utf8');
  return text.replace(table, () => ['| gap | values | why |', '|---|---|---|', ...rows].join('\n'));
}
