import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rules } from '../../generated/rules.js';
import { type Reference, startReference } from '../../reference/index.js';

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
