import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseBaseline } from '../../conformance/engine/settings/baseline.js';
import { parseTarget } from '../../conformance/suite/target/read.js';
import { compile } from './compile.js';
import { type Given, makeGiven } from './given.js';
import { installed } from './installed.js';
import { moduleOf, prelude, Reader } from './page.js';
import { run } from './process.js';
import { readPages } from './snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { tarball, workshop } = await installed();
/** What docs/architecture.md quotes, test/docs/architecture.test.ts looks for in the sources. */
const pages = (await readPages(root)).filter(({ name }) => name !== 'architecture');
const all = pages.flatMap(({ snippets }) => snippets);

/** Compiled and run where OpenTelemetry is installed: telemetry.test.ts. */
const isTelemetry = (text: string) => text.includes("from '@opentelemetry/");
const isBaseline = (text: string) => text.startsWith('- rule: ');
/** What a CI service runs. Other YAML is a step of it, or of a target file. */
const isPipeline = (text: string) => /^ *(?:jobs|script):/m.test(text);
/** What stands in a guide to be looked at: output, and what is read or run by a test of its own. */
const isShown = ({ language, text }: (typeof all)[number]) =>
  ['', 'text', 'js', 'json', 'toml'].includes(language) ||
  (language === 'yaml' && !isPipeline(text)) ||
  isTelemetry(text);

test('every TypeScript snippet compiles', async () => {
  const folder = join(workshop, 'snippets');
  await mkdir(folder);
  await writeFile(join(folder, 'prelude.ts'), prelude);
  const modules = all.filter(({ language, text }) => language === 'ts' && !isTelemetry(text));
  expect(modules.length).toBeGreaterThan(10);
  for (const [index, snippet] of modules.entries())
    await writeFile(join(folder, `snippet-${index}.ts`), `// ${snippet.place}\n${moduleOf(snippet)}`);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const options = { strict: true, target: 'es2022', module: 'nodenext', types: ['node'], skipLibCheck: true };
  const files = ['prelude.ts', ...modules.map((_, index) => `snippet-${index}.ts`)];
  expect(compile(folder, files, { ...options, exactOptionalPropertyTypes: true })).toEqual([]);
});

test('every baseline in a guide is valid', () => {
  const baselines = all.filter(({ language, text }) => language === 'yaml' && isBaseline(text));
  for (const { place, text } of baselines) expect(parseBaseline(place, text)).not.toEqual([]);
  expect(baselines.length).toBeGreaterThan(0);
});

test('every part of a target file in a guide is valid', () => {
  const parts = all.filter(({ language, text }) => language === 'yaml' && /^(?:# target\.yaml$|hooks:)/m.test(text));
  const env = { WORKFLOW_API_KEY: 'of-the-suite', ROBOT_PASSWORD: 'of-the-robot' };
  const baseUrl = 'https://staging.example.com';
  for (const { place, text } of parts)
    expect(() => parseTarget(place, JSON.stringify({ baseUrl, ...parse(text) }), env)).not.toThrow();
  expect(parts.length).toBeGreaterThan(2);
});

test('every input of the action in a guide exists', async () => {
  const { inputs } = parse(await readFile(join(root, 'action.yml'), 'utf8'));
  const uses = all.flatMap(({ text, language }) =>
    language === 'yaml' && isPipeline(text)
      ? Object.values(parse(text).jobs ?? {}).flatMap((job) => (job as { steps: Record<string, object>[] }).steps)
      : [],
  );
  const given = uses
    .filter((step) => String(step.uses).startsWith('OWNER/'))
    .map((step) => Object.keys(step.with ?? {}));
  expect(given.length).toBeGreaterThan(0);
  for (const names of given) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(names));
});

test('the install command of the guides installs the package with its command', async () => {
  const commands = new Set(
    all
      .flatMap(({ text }) => text.match(/npm install [^'\n]*\.tgz/g) ?? [])
      .map((command) => command.trim().replace('PATH/TO/CHECKOUT', '.')),
  );
  expect(commands.size).toBeGreaterThan(1);
  for (const [index, command] of [...commands].entries()) {
    const folder = join(workshop, `install-${index}`);
    await mkdir(folder);
    await copyFile(tarball, join(folder, basename(tarball)));
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const env = { npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
    const { code, stderr } = await run(folder, 'sh', ['-c', command], env);
    expect(code, `${command}: ${stderr}`).toBe(0);
    expect(await run(folder, 'npx', ['workflow-execution-contract', '--version'])).toMatchObject({ code: 0 });
  }
});

describe('the commands of a guide, run from top to bottom:', () => {
  let given: Given;
  beforeAll(async () => {
    given = await makeGiven(workshop);
  });

  const followed = pages.filter(({ snippets }) => !snippets.every(isShown));
  test.concurrent.each(followed.map((page) => [page.name, page] as const))('%s works as it states', async (_, page) => {
    const reader = await Reader.of(page, workshop, root, given);
    try {
      for (const [index, snippet] of page.snippets.entries())
        if (!isShown(snippet)) await reader.follow(snippet, `snippet-${index}`);
    } finally {
      await reader.close();
    }
  });
});
