import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { ReferenceTarget } from './fixtures.js';
import { Mistake } from './mistakes.js';

const head = `# The reference service, as it was started. Its keys are in clear: they are the same everywhere and guard nothing.
`;

/** Writes the target file of a service. Throws a Mistake when the file cannot be written. */
export async function writeTarget(file: string, target: ReferenceTarget): Promise<void> {
  try {
    await writeFile(file, head + stringify(target));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Mistake(`${file} cannot be written: ${code === 'ENOENT' ? 'its folder does not exist' : message}.`);
  }
}
