import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { targetTemplate } from '../../cli/target-template.js';
import { parseTarget } from '../../conformance/suite/target/read.js';
import schema from '../../conformance/suite/target/target.schema.json' with { type: 'json' };
import { temporaryFolder } from '../support/folder.js';
import { cli } from './support.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe('init', () => {
  it('writes the target file and prints the next command', async () => {
    const file = join(folder, 'target.yaml');
    const { exitCode, stdout } = await cli(['init', file]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`check --target ${file}`);
    expect(await readFile(file, 'utf8')).toBe(targetTemplate);
  });

  it('quotes the next command for the shell', async () => {
    const file = join(folder, "zïel 目's.yaml");
    const { stdout } = await cli(['init', file]);
    expect(stdout).toContain(`check --target '${folder}/zïel 目'\\''s.yaml'\n`);
  });

  it('prints the target file for -, and nothing else', async () => {
    expect(await cli(['init', '-'])).toEqual({ exitCode: 0, stdout: targetTemplate, stderr: '' });
  });

  it('overwrites a file only with --force', async () => {
    const file = join(folder, 'target.yaml');
    await writeFile(file, 'mine');
    expect(await cli(['init', file])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--force') });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await cli(['init', file, '--force'])).toMatchObject({ exitCode: 0 });
    expect(await readFile(file, 'utf8')).toBe(targetTemplate);
  });

  it.each([[], ['--force']])('does not offer to overwrite a folder: %j', async (...force) => {
    const { exitCode, stderr } = await cli(['init', folder, ...force]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `workflow-contract: ${folder} cannot be written: it is a folder.\n`,
    });
  });
});

describe('the target file that init writes', () => {
  // A setting that is commented out begins with its name, or with the spaces of its indentation.
  const filledIn = targetTemplate.replaceAll(/^#(?=[a-z]| {2,})/gm, '');

  it('declares, without changes, a service that is only read', () => {
    expect(parse(targetTemplate)).toEqual({
      baseUrl: 'http://127.0.0.1:4010',
      allow: 'read',
      apiKeys: { primary: expect.stringMatching(/^\$\{WORKFLOW_API_KEY\}$/) },
    });
  });

  it('is valid without changes, once the key is in the environment', () => {
    const { facts, keys } = parseTarget('target.yaml', targetTemplate, { WORKFLOW_API_KEY: 'k' });
    expect(facts).toMatchObject({ baseUrl: 'http://127.0.0.1:4010', allow: 'read' });
    expect(keys).toEqual({ primary: 'k' });
  });

  it('is valid with every line filled in', () => {
    const names = [...targetTemplate.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
    const variables = Object.fromEntries(names.map((name) => [name, `key-of-${name}`]));
    expect(() => parseTarget('target.yaml', filledIn, variables)).not.toThrow();
  });

  it('names the default number of copies', () => {
    const copies = schema.properties.budget.properties.copies.default;
    expect(targetTemplate).toContain(`#  copies: ${copies}\n`);
  });

  it('has every name that the schema of target files has', () => {
    const inSchema = schemaNames(schema).filter((name) => name !== '$schema');
    expect(valueNames(parse(filledIn)).sort()).toEqual(inSchema.sort());
  });
});

function schemaNames(described: object): string[] {
  const { properties = {} } = described as { properties?: Record<string, object> };
  return Object.entries(properties).flatMap(([name, inner]) => [
    name,
    ...schemaNames(inner).map((rest) => `${name}.${rest}`),
  ]);
}

function valueNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...valueNames(inner).map((rest) => `${name}.${rest}`),
  ]);
}
