import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Report } from '../../conformance/engine/vocabulary/report.js';
import { findFault } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';
import { putCommandInto } from '../support/command.js';
import { temporaryFolder } from '../support/folder.js';
import { lines } from '../support/recordings.js';

const python = process.env.PYSPARK_PYTHON ?? 'python3';
const script = fileURLToPath(new URL('../../examples/judge-on-spark.py', import.meta.url));
const hasSpark = (() => {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    execFileSync(python, ['-c', 'import pyspark'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const missing =
  'Spark is missing: install Java and `pip install pyspark`. PYSPARK_PYTHON names the Python that has it.\n';

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const run = (file: string, ...args: string[]) =>
  promisify(execFile)(file, args, {
    cwd: folder,
    maxBuffer: 64 * 2 ** 20,
    env: { ...process.env, SPARK_MASTER: 'local[2]', PATH: `${at('bin')}${delimiter}${process.env.PATH}` },
  });

test('the counts of traffic that Spark judges in parts equal those of the whole', async ({ skip }) => {
  if (!hasSpark) process.stderr.write(missing);
  skip(!hasSpark, missing);
  await Promise.all([mkdir(at('bin')), mkdir(at('traffic'))]);
  await putCommandInto(at('bin'));
  const { exchanges } = (await checkInProcess({ faults: [findFault('sync-answers-202-always')] })).evidence;
  const text = lines(...exchanges.toSorted((a, b) => a.at - b.at));
  await writeFile(at('whole.ndjson'), text);
  const [odd, even] = [0, 1].map((file) =>
    text
      .split(/(?<=\n)/)
      .filter((_, index) => index % 2 === file)
      .join(''),
  );
  await Promise.all([
    writeFile(at('traffic', '1.ndjson'), odd ?? ''),
    writeFile(at('traffic', '2.ndjson'), even ?? ''),
  ]);

  await run(python, script, at('traffic'), at('reports'), '8');
  const counts = async (name: string, command: string) => {
    await run('sh', '-ec', `${command} --report json=${name} || [ $? -eq 1 ]`);
    const { rules, requests, recording }: Report = JSON.parse(await readFile(at(name), 'utf8'));
    expect(recording).not.toHaveProperty('split');
    return [requests, ...rules.map(({ id, verdict, observations }) => [id, verdict, observations])];
  };
  const merged = await counts('merged.json', 'workflow-contract merge reports/part-*');
  expect(merged).toEqual(await counts('whole.json', 'workflow-contract check --recording whole.ndjson --quiet'));
}, 600_000);
