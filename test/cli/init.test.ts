import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { targetTemplate } from '../../cli/target-template.js';
import { rules } from '../../generated/rules.js';
import { cli } from './support.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'init-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('init', () => {
  it('writes the target file and says what comes next', async () => {
    const file = join(folder, 'target.yaml');
    const { exitCode, stdout } = await cli(['init', file]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`check --target ${file}`);
    expect(await readFile(file, 'utf8')).toBe(targetTemplate);
  });

  it('overwrites a file only when it is forced to', async () => {
    const file = join(folder, 'target.yaml');
    await writeFile(file, 'mine');
    expect(await cli(['init', file])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--force') });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await cli(['init', file, '--force'])).toMatchObject({ exitCode: 0 });
    expect(await readFile(file, 'utf8')).toBe(targetTemplate);
  });

  it('names the folder that is missing', async () => {
    const file = join(folder, 'no', 'target.yaml');
    expect(await cli(['init', file])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('does not exist') });
  });
});

describe('the target file that init writes', () => {
  // A setting that is commented out begins with its name, or with the spaces of its indentation.
  const complete = parse(targetTemplate.replaceAll(/^#(?=[a-z]| {2,})/gm, ''));

  it('declares as it stands a service to read, and no more', () => {
    expect(parse(targetTemplate)).toEqual({
      baseUrl: 'http://127.0.0.1:4010',
      allow: 'read',
      apiKeys: { primary: expect.stringMatching(/^\$\{WORKFLOW_API_KEY\}$/) },
    });
  });

  it('has a line for everything that a rule can need', () => {
    const names = rules.flatMap(({ needs }) => needs.flatMap((need: string) => need.split('|')));
    const declared = (name: string) => name.split('.').reduce((value, key) => value?.[key], complete);
    expect(names.filter((name) => declared(name) === undefined)).toEqual([]);
  });

  it('has every name that a target file may have', () => {
    expect(names(complete)).toEqual(
      [
        'baseUrl stateful allow apiKeys.primary apiKeys.restricted.key apiKeys.restricted.denied headers',
        'workflows.completes workflows.fails workflows.cancelled workflows.pauses workflows.pausesByAgent',
        'workflows.awaitsConfirmation workflows.slow workflows.variantMode workflows.writesFiles',
        'publishedVersion execution profile otherProfile profileGroup pool otherOrganization tempFile.id tempFile.name',
        'agentHardTimeoutMins capacity.profileGroup capacity.size capacity.workflow',
        'pace.requestsPerSecond pace.concurrency pace.patienceSeconds pace.latencyGraceMs budget.executions',
      ]
        .join(' ')
        .split(' '),
    );
  });

  function names(value: object): string[] {
    return Object.entries(value).flatMap(([name, inner]) => {
      const isGroup = typeof inner === 'object' && !Array.isArray(inner) && Object.keys(inner).length > 0;
      return isGroup ? names(inner).map((rest) => `${name}.${rest}`) : [name];
    });
  }
});
