import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { choices } from '../../reference/index.js';
import { type Scenario, scenarios } from '../../reference/scenarios.js';

const guide = await readFile(new URL('../../docs/reference.md', import.meta.url), 'utf8');

it('lists every choice, its default first, with the reason', () => {
  const rows = Object.entries(choices).map(([id, { values, default: usual, why }]) => {
    const sorted = Object.entries(values).sort(([a], [b]) => Number(b === usual) - Number(a === usual));
    const ways = sorted.map(([value, meaning]) => `\`${value}\`: ${meaning}`).join('<br>');
    return `| \`${id}\` | ${ways} | ${why} |`;
  });
  expect(guide.split('<!-- /choices -->')[0]).toContain(
    ['| gap | values | why |', '|---|---|---|', ...rows].join('\n'),
  );
});

it.each(Object.entries<Scenario>(scenarios))('tells the states of %s', (name, { steps }) => {
  const states = steps.map(({ status, ms }) => (ms === undefined ? status : `${status} ${ms}`)).join(', ');
  expect(guide).toMatch(new RegExp(`^\\| \`${name}\` \\| ${states}[ ,;|]`, 'm'));
});
