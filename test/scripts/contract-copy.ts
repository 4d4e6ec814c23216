import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/folder.js';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

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
