import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildAll } from '../../scripts/generate/build.js';
import { replaceFiles } from '../../scripts/generate/files.js';
import { stubs } from '../../scripts/new-rule/stubs.js';
import { temporaryFolder } from '../support/folder.js';
import { repository, runScript } from './contract-copy.js';

const [id, like] = ['deleted-pools-have-no-body', 'deleted-pool-is-gone'];

/** What somebody fills the stubs in with: the file, the stub, and what takes its place. */
const filled = [
  ['openapi/rules.yaml', `id: ${id}, level: SHOULD`, `id: ${id}, level: SHOULD`],
  ['openapi/rules.yaml', 'says: "To be written."', 'says: "A pool is not deleted with 299."'],
  [
    'conformance/suite/pools/rules.ts',
    'exchange: () => undefined,',
    `exchange(one) {
      if (!isDeletion(one) || !accepted(one)) return undefined;
      return status(one) === 299 ? violated(one, 'another status', '299') : satisfied(one);
    },`,
  ],
  [
    'test/conformance/suite/pools/tables/pools.ts',
    `'${id}': {},`,
    `'${id}': {
    'satisfied: 204': [remove(204)],
    'violated: 299': [remove(299)],
    'ignored: a refusal': [remove(404)],
  },`,
  ],
  [
    'deviations/faults/pools.ts',
    '() => ({}),',
    `answering((answer, { operation }) =>
      operation === 'deletePool' && answer.status < 300 ? { ...answer, status: 299 } : answer,
    ),`,
  ],
] as const;

describe('a rule that is added according to CONTRIBUTING.md', () => {
  const copy = temporaryFolder();
  const at = (file: string) => join(copy, file);
  const node = (...args: string[]) =>
    promisify(execFile)(process.execPath, args, { cwd: copy, env: { ...process.env, NO_COLOR: '1' } });

  beforeAll(async () => {
    // The command is built for the tests that start it, of all that is in it.
    const built = ['certify', 'cli', 'client', 'common', 'conformance', 'deviations', 'generated', 'mock', 'reference'];
    const parts = [...built, 'openapi', 'proof', 'scripts', 'test'];
    for (const part of [...parts, 'package.json', 'tsconfig.json', 'vitest.config.ts'])
      await cp(join(repository, part), at(part), { recursive: true });
    await symlink(join(repository, 'node_modules'), at('node_modules'));
    const { code, stderr } = await runScript('new-rule', id, '--like', like, '--in', copy);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const [file, stub, text] of filled) {
      const before = await readFile(at(file), 'utf8');
      expect(before, file).toContain(stub);
      await writeFile(at(file), before.replace(stub, text));
    }
    await replaceFiles(at('generated'), (await buildAll(at('openapi'))).modules);
  });

  test('compiles', () => {
    const files = [
      ...new Set(filled.map(([file]) => file)),
      'conformance/suite/judges.ts',
      'conformance/suite/scenarios.ts',
    ]
      .filter((file) => file.endsWith('.ts'))
      .map(at);
    const { config } = ts.readConfigFile(at('tsconfig.json'), ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, copy, at('tsconfig.json'));
    // The engine's ids are those of this contract where its declarations are merged.
    const others = ['test/conformance/suite/rules.test.ts', 'conformance/suite/contract.ts'].map(at);
    const program = ts.createProgram([...files, ...others], options);
    const found = files.flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)));
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  test('has the verdicts of its recordings', async () => {
    const file = 'test/conformance/suite/rules.test.ts';
    const { stdout } = await node('node_modules/vitest/vitest.mjs', 'run', file, '-t', id);
    expect(stdout).toMatch(/Tests {2}[1-9]\d* passed/);
  });

  test('is violated by its fault, and by no conformant service', async () => {
    const { stdout } = await node('--import', 'tsx', 'proof/main.ts', `${id}-is-broken`, 'default');
    expect(stdout).toContain('1 fault, 1 variant: as declared');
  });
});

test.each([
  ['An-Id', like, 'An-Id is no id: words in lower case, with dashes between.'],
  [like, like, `${like} is there already; an id never changes, and none is given twice.`],
  [
    'another-rule',
    'no-such-rule',
    'openapi/rules.yaml has nothing that stands for no-such-rule alone; name another one.',
  ],
])('new:rule refuses %s beside %s', async (taken, beside, message) => {
  await expect(stubs(repository, taken, beside)).rejects.toThrow(message);
});
