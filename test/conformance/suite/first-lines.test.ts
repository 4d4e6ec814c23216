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
  [...sources.matchAll(/\bJudges (?:(?!\*\/)[\s\S])*\*\/\n(?:export )?(?:const|function) (\w+)/g)].map(
    ([, name]) => name,
  ),
);

/** Those that follow from the contract. */
const coupled: readonly string[] = couplings.map(({ rule }) => rule);

/** Each judge by its rule: the comment before it, and what it is. */
const judges = new Map(
  [...sources.matchAll(/((?:^ *(?:\/\/|\/\*\*|\*).*\n)*)^ {2}'([\w-]+)': (.*(?:\n {4}.*)*)/gm)]
    .map(([text, comment = '', id = '', body = '']) => [id, { text, comment, body }] as const)
    .reverse(),
);

test.each([...rules, ...callers].map(({ id }) => id))(
  'the judge of %s begins with the exchanges that it needs',
  (id) => {
    const { text, comment = '', body = coupled.includes(id) ? 'coupledJudge(' : '' } = judges.get(id) ?? {};
    const made = [...body.matchAll(/(\w+)\(/g)].some(([, maker]) => makers.has(maker));
    expect(comment.includes('Judges ') || made, text?.slice(0, 200)).toBe(true);
  },
);
