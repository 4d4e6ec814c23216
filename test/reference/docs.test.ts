import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { type Scenario, scenarios } from '../../reference/scenarios.js';

const guide = await readFile(new URL('../../docs/reference.md', import.meta.url), 'utf8');

it.each(Object.entries<Scenario>(scenarios))('tells the states of %s', (name, { steps }) => {
  const states = steps.map(({ status, ms }) => (ms === undefined ? status : `${status} ${ms}`)).join(', ');
  expect(guide).toMatch(new RegExp(`^\\| \`${name}\` \\| ${states}[ ,;|]`, 'm'));
});
