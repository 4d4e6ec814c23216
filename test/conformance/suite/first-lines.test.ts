import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { couplings } from '../../../generated/flags.js';
import { callers, rules } from '../../../generated/rules.js';

const folder = fileURLToPath(new URL('../../../conformance', import.meta.url));
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  .join('\n');

/** What makes judges and says of them all what they must have seen. */
const makers = new Set(
  [...sources.matchAll(/\bSeen: (?:(?!\*\/)[\s\S])*\*\/\n(?:export )?(?:const|function) (\w+)/g)].map(
    ([, name]) => name,
  ),
);

/** Those that follow from the contract. */
const coupled: readonly string[] = couplings.map(({ rule }) => rule);

test.each([...rules, ...callers].map(({ id }) => id))('the judge of %s begins with what it must have seen', (id) => {
  const judge = new RegExp(`((?:^ *(?://|/\\*\\*|\\*).*\n)*)^  '${id}': (.*(?:\n    .*)*)`, 'm').exec(sources);
  const [, comment = '', body = coupled.includes(id) ? 'coupledJudge(' : ''] = judge ?? [];
  const made = [...body.matchAll(/(\w+)\(/g)].some(([, maker]) => makers.has(maker));
  expect(comment.includes('Seen: ') || made, judge?.[0].slice(0, 200)).toBe(true);
});
