import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isStart } from '../../../../conformance/engine/outcome/read.js';
import type { Exchange, Report } from '../../../../conformance/engine/vocabulary.js';
import { findFault } from '../../../../deviations/index.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { putCommandInto } from '../../../support/command.js';
import { lines } from '../../../support/recordings.js';

const python = process.env.PYSPARK_PYTHON ?? 'python3';
const script = fileURLToPath(new URL('../../../../docs/judge-on-spark.py', import.meta.url));
/** `SPARK_EXCHANGES=1000000 npx vitest run test/conformance/engine/recording/spark` tries as many; a run of the suite by default. */
const wanted = Number(process.env.SPARK_EXCHANGES ?? 1);
const isFixture = /-0000-4000-8000-0{12}$/;
const hasSpark = (() => {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    execFileSync(python, ['-c', 'import pyspark'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

// Where there is no Spark (PYSPARK_PYTHON names a Python that has it) this is skipped, and the runner says so.
/** None sent at the very moment of another, and one in ten starts without its answer, which got lost. */
const losing = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.map(({ response, ...rest }, index) => {
    const one = { ...rest, at: rest.at + index / 1000 };
    return response && (index % 10 > 0 || !isStart(one))
      ? { ...one, response }
      : { ...one, failure: one.failure ?? { kind: 'broken', message: 'It broke.' } };
  });

describe.skipIf(!hasSpark)('on Spark', () => {
  let folder = '';
  const at = (...names: string[]) => join(folder, ...names);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spark-'));
    await mkdir(at('bin'));
    await mkdir(at('traffic'));
    await putCommandInto(at('bin'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const run = (file: string, ...args: string[]) =>
    promisify(execFile)(file, args, {
      cwd: folder,
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, SPARK_MASTER: 'local[2]', PATH: `${at('bin')}${delimiter}${process.env.PATH}` },
    });

  /** At least as many exchanges as are wanted, in turns over three files: the run again and again, each time later, with new ids. */
  async function deal(exchanges: readonly Exchange[]): Promise<string[]> {
    const text = lines(...exchanges);
    const files = [0, 1, 2].map((file) => at('traffic', `${file}.ndjson`));
    const outs = await Promise.all(files.map((file) => open(file, 'w')));
    const lastsMs = (exchanges.at(-1)?.at ?? 0) - (exchanges[0]?.at ?? 0) + 60_000;
    for (let turn = 0; turn * exchanges.length < wanted; turn += 1) {
      const ids = new Map<string, string>();
      const renamed = (id: string) => ids.get(id) ?? ids.set(id, randomUUID()).get(id) ?? '';
      const later = text
        .replaceAll(/(?<="at":)[\d.]+/g, (ms) => `${Number(ms) + turn * lastsMs}`)
        .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => (isFixture.test(id) ? id : renamed(id)))
        .split(/(?<=\n)/);
      for (const [file, out] of outs.entries())
        await out.write(later.filter((_, index) => index % 3 === file).join(''));
    }
    await Promise.all(outs.map((out) => out.close()));
    return files;
  }

  const reported = async (name: string, command: string) => {
    await run('sh', '-ec', `${command} --report json=${name} || [ $? -eq 1 ]`);
    return readFile(at(name), 'utf8');
  };

  test.each([8, 64])(
    'traffic that is dealt over files is judged in %i parts as in one piece',
    async (parts) => {
      const { exchanges } = (await checkInProcess({ faults: [findFault('sync-answers-202-always')] })).evidence;
      const files = await deal(losing(exchanges.toSorted((a, b) => a.at - b.at)));
      const reports = `reports-${parts}`;
      await run(python, script, at('traffic'), at(reports), String(parts));
      const whole = await reported('whole.json', `workflow-contract merge ${reports}/part-*`);
      const { requests, callers }: Report = JSON.parse(whole);
      // What is no request of the interface is not an exchange.
      expect(requests).toBeGreaterThan(wanted * 0.9);
      expect(callers.find(({ id }) => id === 'caller-does-not-repeat-a-lost-start')?.observations).toBeGreaterThan(0);
      expect(whole).toBe(await reported('one.json', `workflow-contract check --recording ${files.join(' ')} --quiet`));
    },
    3_600_000,
  );
});
