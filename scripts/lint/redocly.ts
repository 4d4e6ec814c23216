import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');

/** Output to leave out: an advertisement for another Node, and progress. */
const chatter = /^(?:\s*[╔║╚].*|(?:bundling|validating) .*\.\.\.)$/gm;

/** Runs Redocly's command, which has no library to import. Throws with its output if it fails. */
export async function runRedocly(...args: string[]): Promise<void> {
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const env = { ...inherited, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    // The command `respect` prints much, mostly about checks that are switched off.
    await run(process.execPath, [redocly, ...args], { env, maxBuffer: Number.POSITIVE_INFINITY });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`redocly ${args[0]} failed:\n${(stdout.trim() || stderr).replaceAll(chatter, '').trim()}`);
  }
}
