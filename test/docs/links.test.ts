import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked, type Token } from 'marked';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** The links of a page that lead to files of the project, and the ids that GitHub gives its headings. */
function read(page: string): { readonly links: readonly string[]; readonly headings: ReadonlySet<string> } {
  const links: string[] = [];
  const headings = new Set<string>();
  const taken = new Map<string, number>();
  const visit = (token: Token): void => {
    if ((token.type === 'link' || token.type === 'image') && !/^[a-z]+:/.test(token.href)) links.push(token.href);
    if (token.type !== 'heading') return;
    const plain = token.text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const id = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    const times = taken.get(id) ?? 0;
    taken.set(id, times + 1);
    headings.add(times === 0 ? id : `${id}-${times}`);
  };
  marked.walkTokens(marked.lexer(readFileSync(join(root, page), 'utf8')), visit);
  return { links, headings };
}

it.each(pages)('every link of %s has a target', (page) => {
  const astray = read(page).links.filter((link) => {
    const [path = '', heading] = link.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, file))) return true;
    return heading !== undefined && statSync(join(root, file)).isFile() && !read(file).headings.has(heading);
  });
  expect(astray).toEqual([]);
});

const sources = readdirSync(root, { withFileTypes: true })
  .filter((one) => one.isDirectory() && one.name !== 'node_modules' && !one.name.startsWith('.'))
  .flatMap(({ name }) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join('/', name, file)),
  );

it.each(pages)('every source file that %s names exists', (page) => {
  const named = [...readFileSync(join(root, page), 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map(([, file]) => file ?? '');
  expect(named.filter((file) => !sources.some((source) => source.endsWith(join('/', file))))).toEqual([]);
});

it.each(pages)('%s uses npx only for this package and for those of a checkout', (page) => {
  const { name, bin, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(Object.keys(bin)).toContain(name);
  const asked = [...readFileSync(join(root, page), 'utf8').matchAll(/\bnpx (?:-\S+ )*([\w@/.-]+)/g)].map(
    ([, one]) => one,
  );
  expect(asked.filter((one) => one !== name && !Object.hasOwn(devDependencies, `${one}`))).toEqual([]);
});
