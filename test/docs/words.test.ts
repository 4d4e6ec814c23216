import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = ['', 'docs', 'generated/docs'].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((file) => (file.endsWith('.md') ? join(folder, file) : [])),
);

/** Words that a guide avoids, and what it uses instead. */
const instead: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tells?|told|says?|said|hears?|knows)\b/i, 'states, reports, prints, detects, has'],
  [/\b(?:nobody|somebody|anybody|whoever|whomever|strangers?|neighbours?)\b/i, 'caller, operator, other clients'],
  [/\bof which\b/i, 'two sentences'],
  [/\b(?:is|are|was|were|be) over\b/i, 'has ended'],
  [/\btwins?\b/i, 'control request'],
  [/\bjourneys?\b/i, 'scenario'],
  [/\b(?:unusual|other|another|different) ways?\b|\bways? to conform\b/i, 'variant'],
  [/\bin doubt\b|\bdoubtful\b/i, 'inconclusive'],
  [/\b(?:the|an?|what|all|each|every|its|their|no) (?:asked|sent|shown|given|taken)\b/i, 'request, body, answer'],
  [/\bwhat (?:is|was|are|were|has been) (?:asked|sent|shown|given|taken)\b/i, 'request, body, answer'],
];

/** The lines of a page without code, which has names of its own. */
const prose = (page: string) =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/^( *)```[\s\S]*?^ *```$/gm, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '')
    .split('\n');

it.each(pages)('%s uses the words of the glossary', (page) => {
  const found = prose(page).flatMap((text, index) =>
    instead.flatMap(([pattern, words]) => {
      const [word] = pattern.exec(text) ?? [];
      return word === undefined ? [] : [`line ${index + 1}: "${word}"; instead: ${words}`];
    }),
  );
  expect(found).toEqual([]);
});

it('a text that names a command names it as a reader can run it', () => {
  const texts = ['cli', 'certify', 'conformance', 'docs', 'generated/docs', 'mock', 'reference', 'scripts'].flatMap(
    (folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((file) =>
        /\.(?:ts|json|md)$/.test(file) ? join(folder, file) : [],
      ),
  );
  const short = /\bworkflow-contract (?:baseline|certify|check|init|merge|mock|proxy|rules|serve)\b/;
  expect([...texts, 'README.md'].filter((file) => short.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
