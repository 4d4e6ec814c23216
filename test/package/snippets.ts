import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { marked } from 'marked';
import { parse } from 'yaml';

/** A fenced block of a guide. */
export interface Snippet {
  /** Page, heading and number: what a failure is called. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

export interface Page {
  readonly name: string;
  readonly snippets: readonly Snippet[];
}

/** The README and every guide. */
export async function readPages(root: string): Promise<readonly Page[]> {
  const guides = (await readdir(join(root, 'docs'))).filter((file) => file.endsWith('.md')).sort();
  return Promise.all(['README.md', ...guides.map((file) => join('docs', file))].map((file) => readPage(root, file)));
}

async function readPage(root: string, file: string): Promise<Page> {
  const snippets: Snippet[] = [];
  let heading = '';
  marked.walkTokens(marked.lexer(await readFile(join(root, file), 'utf8')), (token) => {
    if (token.type === 'heading') heading = token.text;
    if (token.type !== 'code') return;
    const place = `${file}, ${heading}, snippet ${snippets.length + 1}`;
    snippets.push({ place, language: token.lang ?? '', text: token.text });
  });
  return { name: basename(file, '.md').toLowerCase(), snippets };
}

/** The commands of a shell snippet, or of a file for a CI service, one each. */
export function commandsOf({ place, language, text }: Snippet): readonly string[] {
  if (language === 'sh') return lines(text);
  if (language === 'groovy')
    return [...text.matchAll(/\bsh (?:'''(.*?)'''|'([^'\n]*)')/gs)].flatMap(([, long, short]) =>
      lines(long ?? short ?? ''),
    );
  const file = parse(text) as Record<string, { script?: string[]; steps?: { run?: string }[] }>;
  const jobs = Object.values((file.jobs as unknown as typeof file | undefined) ?? file);
  const scripts = jobs.flatMap(({ script = [], steps = [] }) => [...script, ...steps.map(({ run = '' }) => run)]);
  if (jobs.every(({ script, steps }) => !script && !steps)) throw new Error(`${place}: nothing knows how to run this`);
  return scripts.flatMap(lines);
}

const lines = (text: string): string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*/, '').trim())
    .filter(Boolean);
