import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answering, restated, shownKey } from '../../deviations/change.js';
import { startReference } from '../../deviations/index.js';
import { temporaryFolder } from '../support/folder.js';
import { cli } from './support.js';

const state = temporaryFolder();
const report = join(state, 'report.json');

it('what a report shows violated is said to be still there, and gone once the service is mended', async () => {
  const behaviour = answering((answer, call) =>
    answer.status === 401 && shownKey(call) !== null ? restated(answer, 404) : answer,
  );
  const faulty = await startReference({ faults: [{ id: 'wrong-key-is-404', behaviour }] });
  const port = new URL(faulty.url).port;
  const env = { WORKFLOW_API_KEY: faulty.keys.full };
  const check = ['check', faulty.url, '--state', state, '--quiet'];
  expect((await cli([...check, '--report', `json=${report}`], env)).exitCode).toBe(1);
  const still = await cli([...check, '--again'], env);
  expect(still.stdout).toMatch(/^still there MUST invalid-key-is-401 on execute: expected: 401/);
  expect(still.stdout).toMatch(/\n(\d+) of \1 still there\n$/);
  expect(still.exitCode).toBe(1);
  await faulty.close();
  const strict = await cli([...check, '--again', '--strict'], env);
  expect(strict.exitCode).toBe(2);
  expect(strict.stderr).toContain("'--again [report]' cannot be used with option '--strict'");
  const mended = await startReference({ port: Number(port) });
  const gone = await cli([...check, '--again', report], env);
  expect(gone.stdout).toMatch(/^gone {8}MUST invalid-key-is-401 on execute: expected: 401/);
  expect(gone.stdout).toMatch(/\n(\d+) of \1 gone\n$/);
  expect(gone.exitCode).toBe(0);
  await mended.close();
});
