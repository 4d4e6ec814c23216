import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { expect } from 'vitest';
import { type Reference, startReference } from '../../reference/index.js';
import type { Given } from './given.js';
import { type Ended, run, type Served, serve } from './process.js';
import { commandsOf, type Page, type Snippet } from './snippets.js';

/** What a snippet may take as given, beside what it imports itself. */
export const prelude = `
import { createWorkflowClient } from 'workflow-execution-contract';
import type { Reference } from 'workflow-execution-contract/reference';

export const reference = JSON.parse(process.env.REFERENCE ?? '') as Reference;
export const client = createWorkflowClient({ baseUrl: reference.url, apiKey: reference.keys.full });
export const { profile: profileId, execution: executionId } = reference.fixtures;
export const workflowId = reference.fixtures.workflows.completes;
`;

/** A snippet as a module: its imports first, the rest in a scope of its own, so that it can give any name again. */
export function moduleOf({ text }: Snippet): string {
  const imports = text.match(/^import .*?;$/gms) ?? [];
  const given = `import { client, executionId, profileId, reference, workflowId } from './prelude.js';`;
  return [...imports, given, '{', imports.reduce((rest, one) => rest.replace(one, ''), text), '}', 'export {};'].join(
    '\n',
  );
}

/** Other ways to call the command: by npx, which finds the same one, and in the checkout. */
const sameCommands = [
  [/\bnpx workflow-execution-contract\b/, 'workflow-contract'],
  [/^npm run (serve|mock)(?: --)?/, 'workflow-contract $1'],
  [/^npm run conformance(?: --)?/, 'workflow-contract check'],
] as const;

/** Parts of docs/recordings.md that run in test/conformance/engine/recording/processes.waiting.test.ts. */
const runElsewhere =
  /^(?:node \S+\/split-recording\.mjs|ls parts|workflow-contract merge parts|BASE_URL=\S+ sh again\.sh) ?/;

/** The package as `npm pack` calls it, which is installed by a test of its own, and a package that is there. */
const pack = 'workflow-execution-contract-*.tgz';
const installable = [`./${pack}`, `PATH/TO/CHECKOUT/${pack}`, '@stoplight/prism-cli@5.14.2'];

/** Runs the snippets of a page from top to bottom, as a reader would: what was started before still runs. */
export class Reader {
  readonly #folder: string;
  readonly #manifest: { version: string; scripts: Record<string, string> };
  readonly #served: Served[] = [];
  #reference: Reference | undefined;

  private constructor(folder: string, manifest: { version: string; scripts: Record<string, string> }) {
    this.#folder = folder;
    this.#manifest = manifest;
  }

  /** `given` are files that a page takes as given. */
  static async of(page: Page, workshop: string, root: string, given: Given): Promise<Reader> {
    const folder = join(workshop, 'pages', page.name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await symlink(join(workshop, 'node_modules'), join(folder, 'node_modules'));
    for (const [file, content] of given) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), content);
    }
    return new Reader(folder, JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#served.map((one) => one.stop()), this.#reference?.close()]);
  }

  async follow(snippet: Snippet, name: string): Promise<void> {
    if (snippet.language === 'ts') return this.#runModule(snippet, name);
    for (const command of commandsOf(snippet)) await this.#runCommand(command, snippet.place);
  }

  async #runModule(snippet: Snippet, name: string): Promise<void> {
    const env = await this.#freshReference('delete');
    const write = (file: string, text: string) => writeFile(join(this.#folder, file), text);
    const text = this.#inPlace(moduleOf(snippet));
    const isTest = /from '(?:vitest|workflow-execution-contract\/vitest)'/.test(text);
    await write('prelude.js', (await transform(prelude, { loader: 'ts' })).code);
    const file = `${name}${isTest ? '.test' : ''}.js`;
    await write(file, (await transform(text, { loader: 'ts' })).code);
    const vitest = join(this.#folder, 'node_modules/vitest/vitest.mjs');
    succeeded(await run(this.#folder, process.execPath, isTest ? [vitest, 'run', file] : [file], env), snippet.place);
  }

  async #runCommand(written: string, place: string): Promise<void> {
    let command = written;
    for (const [way, same] of sameCommands) command = command.replace(way, same);
    if (command.startsWith('export ') || runElsewhere.test(command)) return;
    const installed = /^npm install (?:--[\w-]+ )*(\S+)$/.exec(command)?.[1];
    if (installed) return expect(installable, place).toContain(installed);
    if (/^npm (?:ci|pack|run|test)\b/.test(command)) {
      const scripts = [...command.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
      return expect(Object.keys(this.#manifest.scripts), place).toEqual(expect.arrayContaining(scripts));
    }

    // Readers may be without these, and so may the machine that this runs on.
    const [program = ''] = command.split(' ');
    if (['curl', 'jq', 'schemathesis'].includes(program)) {
      const { code } = await run(this.#folder, 'bash', ['-c', `command -v ${program}`]);
      if (code !== 0) return;
    }

    const env = await this.#freshReference('read');
    // What was recorded keeps its address.
    if (!command.includes('--recording')) command = this.#inPlace(command).replace(/^curl /, 'curl -fsS ');
    const serving = /workflow-contract (serve|mock|proxy)\b/.exec(command)?.[1];
    if (serving) {
      const [file = '', ...args] = command.split(' ');
      this.#served.push(
        await serve(this.#folder, file, [...args, serving === 'proxy' ? '--listen' : '--port', '0'], env),
      );
      return;
    }
    if (/workflow-contract init\b/.test(command)) await rm(join(this.#folder, 'target.yaml'));
    succeeded(await run(this.#folder, 'bash', ['-ec', command], env), `${place}: ${command}`);
  }

  /** The addresses that stand in guides, as what answers here. */
  #inPlace(text: string): string {
    const url = this.#reference?.url ?? '';
    return text
      .replaceAll(/https:\/\/(?:staging|workflows)\.example\.com/g, url)
      .replaceAll('http://127.0.0.1:4010', this.#served.at(-1)?.url ?? url);
  }

  /**
   * Every snippet meets a service that nothing was done to yet, and a target file that is filled in, but for the group to
   * fill: on a busy machine it empties sooner than it fills. Most need no more than a run that reads.
   */
  async #freshReference(allow: 'read' | 'delete'): Promise<Record<string, string>> {
    await this.#reference?.close();
    this.#reference = await startReference();
    const { url, keys, fixtures: target } = this.#reference;
    const { capacity: _, ...declared } = target;
    await writeFile(join(this.#folder, 'target.yaml'), JSON.stringify({ ...declared, allow }));
    return {
      WORKFLOW_URL: url,
      WORKFLOW_API_KEY: keys.full,
      WORKFLOW_ID: target.workflows.completes,
      REFERENCE: JSON.stringify({ url, keys, fixtures: target }),
    };
  }
}

function succeeded({ code, stdout, stderr }: Ended, place: string): void {
  expect(code, `${place}\n${stdout}\n${stderr}`).toBe(0);
}
