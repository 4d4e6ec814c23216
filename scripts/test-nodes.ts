import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The release lines of Node that the package supports. */
const lines = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26'];
const root = fileURLToPath(new URL('..', import.meta.url));

/** The binary of a release line, from the npm package `node`. npm caches it. */
const nodeOf = (line: string): string => {
  const print = ['--', 'node', '--print', 'process.execPath'];
  return execFileSync('npm', ['exec', '--yes', `--package=node@${line}`, ...print], { encoding: 'utf8' }).trim();
};

for (const line of lines) {
  const node = nodeOf(line);
  console.log(`\nNode ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'package'];
  const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
