import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockTarget } from '../../conformance/engine/send/known-copies.js';
import { stateFolder } from '../../conformance/engine/settings/file.js';
import { rules } from '../../generated/rules.js';
import { type Reference, startReference } from '../../reference/index.js';
import { temporaryFolder } from '../support/folder.js';
import { profileAlone } from '../support/interrupted.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the suite as tests prints about the service that the environment names. */
function suite(env: Record<string, string>, told: (text: string) => void = () => {}): Promise<string> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'conformance', '--retry', '0'];
  const options = { cwd: root, env: { ...process.env, NO_COLOR: '1', ...env } };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, options, (_, stdout, stderr) => resolve(stdout + stderr));
    child.stdout?.on('data', told);
    child.stderr?.on('data', told);
  });
}

describe('the suite as tests', () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await startReference();
  });
  afterAll(() => reference.close());

  it('judges the service that BASE_URL names', async () => {
    const said = await suite({ BASE_URL: reference.url, WORKFLOW_API_KEY: reference.keys.full });
    expect(said).toMatch(/Tests {2}[1-9]\d* passed \| [1-9]\d* skipped/);
  });

  it('waits for another run that changes the same resources', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'target.json');
    await writeFile(file, JSON.stringify({ ...reference.fixtures, ...profileAlone }));
    const held = await lockTarget(reference.url, [reference.fixtures.profile], {
      folder: stateFolder({ XDG_STATE_HOME: folder }),
      signal: new AbortController().signal,
      say: () => {},
    });
    const said = await suite({ TARGET: file, XDG_STATE_HOME: folder }, (text) => {
      if (text.includes('another run uses what this one would change')) void held();
    });
    expect(said).toMatch(/Tests {2}[1-9]\d* passed \| [1-9]\d* skipped/);
    expect(said).toContain(`another run uses what this one would change (process ${process.pid} on`);
  });

  it('reports why its target is unusable', async () => {
    const said = await suite({ BASE_URL: 'http://127.0.0.1:1', WORKFLOW_API_KEY: 'any' });
    expect(said).toContain('AssertionError: http://127.0.0.1:1 cannot be reached: Nothing listens at');
  });

  it('reports an error of its target before it sends a request, and names each test after its rule', async () => {
    const said = await suite({ BASE_URL: `${reference.url}/agents/v2` });
    expect(said).toContain('SettingsError: baseUrl must end before /agents/v2');
    for (const { id, says } of rules) expect(said).toContain(`${id}: ${says}\n`);
  });
});
