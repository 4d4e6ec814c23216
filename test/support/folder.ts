import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** A folder that is gone when the test, or the file or `describe` that asks for it, is over. `beforeAll` asks too late. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-test-'));
  const last = TestRunner.getCurrentTest() ? onTestFinished : afterAll;
  last(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
