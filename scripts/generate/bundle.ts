import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Document } from './document.js';

const run = promisify(execFile);

/** The path of Redocly's command, which has no library to import. */
export const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');

/** Neither its telemetry nor its question for a newer version belongs into a build. */
export const redoclyEnvironment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Bundles the document at `root` into one, by way of a file in `scratch`. Throws what Redocly says where it cannot. */
export async function bundle(root: string, scratch: string): Promise<Document> {
  const output = join(scratch, 'bundle.json');
  try {
    await run(process.execPath, [redocly, 'bundle', root, '--output', output], { env: redoclyEnvironment });
  } catch (error) {
    throw new Error(`redocly bundle failed:\n${(error as { stderr?: string }).stderr ?? error}`);
  }
  return JSON.parse(await readFile(output, 'utf8')) as Document;
}
