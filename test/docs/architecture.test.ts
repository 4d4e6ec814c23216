import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

const links = [...page.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)].map(([, text = '', to = '']) => [text, to] as const);
const places = [...page.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, place = '']) => place);

it('the guide has enough links to follow', () => {
  expect(links.length).toBeGreaterThan(20);
  expect(places.length).toBeGreaterThan(20);
});

it.each(links)('%s is at %s', (text, to) => {
  const file = join(root, 'docs', to);
  expect(existsSync(file), to).toBe(true);
  const name = /^`(\w+)`$/.exec(text)?.[1];
  if (name === undefined) return;
  const defined = new RegExp(
    `^export (?:abstract )?(?:async )?(?:function\\*?|const|class|interface|type) ${name}\\b`,
    'm',
  );
  expect(readFileSync(file, 'utf8'), `${to} defines ${name}`).toMatch(defined);
});

/** Without the indentation, which differs where a part is shown by itself. */
const flush = (text: string) => text.replace(/^ +/gm, '').trim();
const quotes = [...page.matchAll(/```(?:ts|yaml)\n([\s\S]*?)```/g)].map(([, quote = '']) => flush(quote));
const sources = [...new Set(links.map(([, to]) => join(root, 'docs', to)))]
  .filter((file) => /\.(?:ts|yaml)$/.test(file))
  .map((file) => flush(readFileSync(file, 'utf8')));

it('the guide has code', () => expect(quotes.length).toBeGreaterThan(4));

it.each(quotes)('a file that it links to has %j', (quote) => {
  expect(sources.some((source) => source.includes(quote))).toBe(true);
});

it.each(places)('%s exists', (place) => {
  expect(existsSync(join(root, place))).toBe(true);
});

/** Each imports what is on floors below its own. */
const floors = [
  ['common'],
  ['generated'],
  ['client', 'mock', 'reference', 'conformance'],
  ['deviations'],
  ['certify'],
  ['cli'],
  ['proof'],
] as const;
const rooms = floors.flat();
const roomOf = (file: string) => rooms.find((room) => file.startsWith(`${room}/`));
const floorOf = (room: string) => floors.findIndex((floor) => floor.some((one) => one === room));
/** What tells the service from the suite: neither knows the other. */
const isService = (room: string) => ['client', 'mock', 'reference', 'deviations'].includes(room);

const arrows = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const from = posix.join(room, file.replaceAll('\\', '/'));
      const imports = readFileSync(join(root, from), 'utf8').matchAll(
        /(import type [^;']*?)?(?:from|import\(|^import) ?'(\.[^']+)'/gm,
      );
      return [...imports].map(
        ([, isType, to = '']) => [from, posix.join(posix.dirname(from), to), isType !== undefined] as const,
      );
    }),
);

it('the engine does not import the interface', () => {
  const own = arrows.filter(([from]) => from.startsWith('conformance/engine/'));
  expect(own.length).toBeGreaterThan(300);
  // Validators and types of files of the suite are generated, and contain nothing of the interface.
  const isOwn = (to: string) =>
    /^common\/|^conformance\/engine\/|^generated\/(?:reports|report-types|settings)\.js$/.test(to);
  expect(own.filter(([, to]) => !isOwn(to))).toEqual([]);
});

it('only the list of judges imports a rule: code that several rules use is beside them', () => {
  const isRule = (file: string) => /^conformance\/suite\/\w+\/rules(?:\/|\.)/.test(file);
  const users = arrows.filter(([, to]) => isRule(to)).map(([from]) => from);
  expect(users.length).toBeGreaterThan(40);
  expect(users.filter((from) => from !== 'conformance/suite/judges.ts')).toEqual([]);
});

it('imports go to lower layers, and there are none between the service and the suite', () => {
  expect(arrows.length).toBeGreaterThan(1000);
  const wrong = arrows.filter(([from, to]) => {
    const [a = '', b = ''] = [roomOf(from), roomOf(to)];
    if (a === b || b === '') return false;
    return floorOf(b) >= floorOf(a) || (a === 'conformance' && isService(b));
  });
  expect(wrong).toEqual([]);
});

it('code that all folders share stays small', () => {
  const files = readdirSync(join(root, 'common')).map((file) => readFileSync(join(root, 'common', file), 'utf8'));
  expect(files.join('').split('\n').length).toBeLessThan(100);
});

it('no file imports itself through others, except for types', () => {
  const by = new Map<string, string[]>();
  for (const [from, to] of arrows.filter(([, , isType]) => !isType))
    by.set(from, [...(by.get(from) ?? []), to.replace(/\.js$/, '.ts')]);
  const over = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    if (over.has(file) || path.includes(file)) return;
    for (const to of by.get(file) ?? []) visit(to, [...path, file]);
    over.add(file);
  };
  for (const file of by.keys()) visit(file, []);
  expect(circles).toEqual([]);
});
