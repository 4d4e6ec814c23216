/** The site: guides, the page of the contract, and a sample report. */

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { h } from '../../conformance/engine/report/html/parts.js';
import { contractPage } from './contract-page.js';
import { type ContractDocument, operationsOf } from './document.js';
import { type Rendered, render } from './markdown.js';
import { samplePage } from './sample.js';
import { type Found, searchOptions } from './search-options.js';
import { type Link, shell } from './shell.js';

/** The guides, in the order in which a newcomer needs them. Others follow. */
const order = [
  'client',
  'testing',
  'mock',
  'reference',
  'conformance',
  'reports',
  'recordings',
  'proxy',
  'callers',
  'ci',
];

interface Guide {
  /** The path from the root of the project: `docs/client.md`. */
  readonly source: string;
  /** The path from the root of the site: `client.html`. */
  readonly page: string;
}

const pageOf = (source: string): string =>
  source === 'README.md'
    ? 'index.html'
    : source
        .replace(/^docs\//, '')
        .replace(/\.md$/, '.html')
        .toLowerCase();

async function guidesOf(project: string): Promise<Guide[]> {
  const files = (await readdir(join(project, 'docs'), { recursive: true })).map((file) => file.replaceAll('\\', '/'));
  const place = (file: string) => (order.includes(file.slice(0, -3)) ? order.indexOf(file.slice(0, -3)) : order.length);
  // The README of a folder comes before its pages.
  const name = (file: string) => file.replace(/README\.md$/, '');
  const docs = files
    .filter((file) => file.endsWith('.md'))
    .sort((a, b) => place(a) - place(b) || name(a).localeCompare(name(b)));
  return ['README.md', ...docs.map((file) => `docs/${file}`), 'CONTRIBUTING.md', 'CHANGELOG.md'].map((source) => ({
    source,
    page: pageOf(source),
  }));
}

/** Maps a link of a guide to a page of the site; to undefined for what is only in the repository. */
function linkFrom({ source, page }: Guide, guides: readonly Guide[]): (href: string) => string | undefined {
  const root = posix.relative(posix.dirname(page), '.') || '.';
  return (href) => {
    if (/^(?:https?:|#|mailto:)/.test(href)) return href;
    const [path = '', hash] = href.split('#');
    const file = posix.normalize(posix.join(posix.dirname(source), path));
    const target = file.startsWith('docs/images/')
      ? file.slice('docs/'.length)
      : guides.find((one) => one.source === file)?.page;
    return target === undefined ? undefined : `${root}/${target}${hash === undefined ? '' : `#${hash}`}`;
  };
}

/**
 * Writes the site: the guides, the contract page and a sample report, with a search that also works from files.
 * Replaces the contents of the folder. Returns the number of pages.
 */
export async function writeSite(project: string, folder: string, document: ContractDocument): Promise<number> {
  const guides = await guidesOf(project);
  const rendered = new Map<Guide, Rendered>();
  for (const guide of guides)
    rendered.set(guide, render(await readFile(join(project, guide.source), 'utf8'), linkFrom(guide, guides)));
  const titleOf = (guide: Guide) =>
    guide.page === 'index.html' ? 'Start' : (rendered.get(guide)?.title ?? guide.page);

  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'images'), { recursive: true });
  await cp(join(project, 'docs/images'), join(folder, 'images'), { recursive: true });
  const write = async (page: string, text: string) => {
    await mkdir(dirname(join(folder, page)), { recursive: true });
    await writeFile(join(folder, page), text);
  };
  const rootOf = (page: string) => `${posix.relative(posix.dirname(page), '.') || '.'}/`;
  const isDecision = ({ page }: Guide) => page.startsWith('decisions/');
  const nav = (here: string): Link[] => {
    const root = rootOf(here);
    const decisions = guides.filter(isDecision);
    const inDecisions = here.startsWith('decisions/');
    const link = (page: string, title: string) => ({ href: `${root}${page}`, title, isHere: page === here });
    return [
      ...guides.filter((guide) => !isDecision(guide)).map((guide) => link(guide.page, titleOf(guide))),
      link('contract.html', 'The contract'),
      link('sample-report.html', 'A sample report'),
      ...(inDecisions
        ? decisions.map((guide) => link(guide.page, titleOf(guide)))
        : decisions.slice(0, 1).map((guide) => link(guide.page, 'Decisions'))),
    ];
  };

  for (const guide of guides) {
    const { html, title } = rendered.get(guide) ?? render('', () => undefined);
    const content = h`<div class="prose">${html}</div>`;
    const kind = 'Workflow execution contract';
    await write(guide.page, shell({ title, kind, nav: nav(guide.page), content, root: rootOf(guide.page) }));
  }
  await write('contract.html', contractPage(document, { site: { root: './', nav: nav('contract.html').slice(0, 1) } }));
  await write('sample-report.html', await samplePage());
  await write('search.js', await searchScript());
  await write('search-index.js', `globalThis.searchIndex = ${JSON.stringify(index(rendered, document))};\n`);
  // Tells GitHub Pages to leave files as they are.
  await write('.nojekyll', '');
  return guides.length + 2;
}

/** The search index: the sections of guides, and the operations. */
function index(rendered: ReadonlyMap<Guide, Rendered>, document: ContractDocument): MiniSearch<Found> {
  const guides = [...rendered].flatMap(([{ page }, { title, parts }]) =>
    parts.map(({ id, title: heading, text }): Found => ({ id: `${page}#${id}`, page: title, heading, text })),
  );
  const operations = operationsOf(document).map(
    ({ method, path, operation: { operationId, summary, description } }): Found => ({
      id: `contract.html#operation-${operationId}`,
      page: 'The contract',
      heading: `${operationId}: ${summary}`,
      text: `${method} ${path} ${description}`,
    }),
  );
  const search = new MiniSearch<Found>(searchOptions);
  search.addAll([...guides, ...operations]);
  return search;
}

async function searchScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('search-page.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    legalComments: 'inline',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
