import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findFault } from '../../../deviations/index.js';
import { checkInProcess } from '../../../proof/in-process.js';
import { judged, lines } from '../../support/recordings.js';

const python = process.env.PYSPARK_PYTHON ?? 'python3';
const script = fileURLToPath(new URL('../../../docs/judge-on-spark.py', import.meta.url));
const hasSpark = (() => {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    execFileSync(python, ['-c', 'import pyspark'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test('the guide shows the script', async () => {
  const guide = await readFile(new URL('../../../docs/recordings.md', import.meta.url), 'utf8');
  expect(guide).toContain(`\`\`\`python\n${await readFile(script, 'utf8')}\`\`\``);
});

// Where there is no Spark (PYSPARK_PYTHON names a Python that has it) this is skipped, and the runner says so.
describe.skipIf(!hasSpark)('on Spark', () => {
  let folder = '';
  const at = (...names: string[]) => join(folder, ...names);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spark-'));
    await mkdir(at('bin'));
    await mkdir(at('traffic'));
    const command = `#!/bin/sh\nexec '${process.execPath}' '${inject('command')}' "$@"\n`;
    await writeFile(at('bin', 'workflow-contract'), command);
    await chmod(at('bin', 'workflow-contract'), 0o755);
  });
  afterAll(() => rm(folder, { recursive: true }));
  const run = (file: string, ...args: string[]) =>
    promisify(execFile)(file, args, {
      cwd: folder,
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, SPARK_MASTER: 'local[2]', PATH: `${at('bin')}${delimiter}${process.env.PATH}` },
    });

  test.each([8, 64])('traffic that is dealt over files is judged in %i parts as in one piece', async (parts) => {
    const { exchanges } = (await checkInProcess({ faults: [findFault('sync-answers-202-always')] })).evidence;
    for (const file of [0, 1, 2])
      await writeFile(at('traffic', `${file}.ndjson`), lines(...exchanges.filter((_, index) => index % 3 === file)));
    const reports = `reports-${parts}`;
    await run(python, script, at('traffic'), at(reports), String(parts));
    const merge = `workflow-contract merge ${reports}/part-* --report json=whole.json || [ $? -eq 1 ]`;
    await run('sh', '-ec', merge);
    const whole = JSON.parse(await readFile(at('whole.json'), 'utf8'));
    const one = await judged(lines(...exchanges.toSorted((a, b) => a.at - b.at)));
    const counts = (rules: typeof one.rules) =>
      rules.map(({ id, verdict, observations, operations }) => ({ id, verdict, observations, operations }));
    expect(counts(whole.rules)).toEqual(counts(one.rules));
    expect(whole).toMatchObject({ requests: one.requests, gaps: one.gaps, transitions: one.transitions });
  });
});
