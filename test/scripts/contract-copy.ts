import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { getCurrentTest } from 'vitest/suite';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A folder that is gone when the test or the `describe` that asks for it is over. A hook asks too late. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-test-'));
  const last = getCurrentTest() ? onTestFinished : afterAll;
  last(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of the contract's sources, with edits: file, text, and what to put in its place. */
export function contractCopy(...edits: (readonly [file: string, text: string, replacement: string])[]): string {
  const folder = join(temporaryFolder(), 'openapi');
  cpSync(join(repository, 'openapi'), folder, { recursive: true });
  for (const [file, text, replacement] of edits) {
    const before = readFileSync(join(folder, file), 'utf8');
    if (!before.includes(text)) throw new Error(`${file} does not contain ${JSON.stringify(text)}`);
    writeFileSync(join(folder, file), before.replace(text, replacement));
  }
  return folder;
}

/** Runs one of the scripts as npm does. */
export function runScript(
  script: string,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [join(repository, 'scripts/run.js'), script, ...args],
      { cwd: repository },
      (_, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
