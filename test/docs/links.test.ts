import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { render } from '../../scripts/docs/markdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** The links of a page that lead to files of the project, and the headings that it has. */
function read(page: string): { readonly links: readonly string[]; readonly headings: ReadonlySet<string> } {
  const links: string[] = [];
  const { parts } = render(readFileSync(join(root, page), 'utf8'), (href) => {
    if (!/^[a-z]+:/.test(href)) links.push(href);
    return undefined;
  });
  return { links, headings: new Set(parts.map(({ id }) => id)) };
}

it.each(pages)('every link of %s leads somewhere', (page) => {
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
