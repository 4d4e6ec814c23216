import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomSeed, seeded } from '../conformance/engine/send/seeded.js';
import { digests, leftOut, type Seals } from './test/seals.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'test/seals.json');

/**
 * `npm test`: every test, but of those on the virtual clock whose code did not change since they passed some alone, and it is
 * said how many. `--all` leaves none out, nor does CI; `--seal` writes down which passed. With other arguments it is vitest on
 * what they name.
 */
async function main(args: readonly string[]): Promise<number> {
  const [first] = args;
  const isSealing = first === '--seal';
  const isWhole = isSealing || first === '--all' || (first === undefined && Boolean(process.env.CI));
  if (first !== undefined && !isWhole) return vitest(args);
  const now = await digests(root, await slowFiles());
  const seed = Number(process.env.TEST_SEED ?? randomSeed());
  const sealed = JSON.parse(await readFile(page, 'utf8')) as Seals;
  const out = isWhole ? [] : leftOut(now, sealed, seeded(seed));
  if (out.length > 0)
    console.log(
      `Left out: ${out.length} of ${Object.keys(now).length} test files on the virtual clock, whose code has not changed since they passed (TEST_SEED=${seed}). npm test -- --all runs them too.`,
    );
  const code = await vitest(args.slice(1), { LEFT_OUT: out.join(',') });
  if (isSealing && code === 0) await writeFile(page, `${JSON.stringify(now, undefined, 2)}\n`);
  return code;
}

async function slowFiles(): Promise<string[]> {
  const files = await readdir(join(root, 'test'), { recursive: true });
  return files.filter((file) => file.endsWith('.slow.test.ts')).map((file) => `test/${file.replaceAll('\\', '/')}`);
}

/** Ends as vitest does. */
async function vitest(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const projects = ['waiting', 'tests', 'isolated'].flatMap((name) => ['--project', name]);
  const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...projects, ...args];
  const running = spawn(process.execPath, command, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = (await once(running, 'close')) as [number | null];
  return code ?? 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`test: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
