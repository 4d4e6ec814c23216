import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { emptyRun, mergeRuns, type RecordedRun } from '../../../../conformance/engine/recording/merge.js';
import { assembleRecording, runOf } from '../../../../conformance/engine/recording/report.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { readReport } from '../../../../conformance/engine/report/read.js';
import { conclude } from '../../../../conformance/engine/rule/conclude.js';
import type { Exchange, Report } from '../../../../conformance/engine/vocabulary.js';
import { historyOf } from '../../../../conformance/suite/histories.js';
import { findFault } from '../../../../deviations/index.js';
import type { Rule } from '../../../../generated/rules.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { putCommandInto } from '../../../support/command.js';
import { temporaryFolder } from '../../../support/folder.js';
import { judged, lines } from '../../../support/recordings.js';
import { traffic } from '../../../support/traffic.js';
import { oneWorkflow, usualTarget } from '../../../support/usual-run.js';

const guide = await readFile(new URL('../../../../docs/recordings.md', import.meta.url), 'utf8');
/** The first block of the guide in this language that has this text. */
const block = (language: string, text: string): string => {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  );
  return blocks.find((code) => code.includes(text)) ?? '';
};

const folder = temporaryFolder();
let exchanges: readonly Exchange[] = [];
const at = (...names: string[]) => join(folder, ...names);
const shell = (script: string) =>
  promisify(execFile)('sh', ['-ec', script], {
    cwd: folder,
    maxBuffer: 64 * 2 ** 20,
    env: { ...process.env, PATH: `${at('bin')}${delimiter}${process.env.PATH}` },
  });

beforeAll(async () => {
  await mkdir(at('bin'));
  await putCommandInto(at('bin'));
  const fault = findFault('sync-answers-202-always');
  const selected = ({ id }: Rule) => fault.breaks.includes(id);
  const run = await checkInProcess({ faults: [fault] }, { target: usualTarget(oneWorkflow), selected });
  ({ exchanges } = run.evidence);
  await writeFile(at('exchanges.ndjson'), lines(...exchanges));
});

describe('the guide', { timeout: 120_000 }, () => {
  test('cuts a recording, judges its parts in several processes, and merges their reports to that of the whole', async () => {
    await writeFile(at('cut.mjs'), block('js', 'cut.mjs'));
    const script = block('sh', 'node cut.mjs').replace('cut.mjs 8', 'cut.mjs 2');
    await expect(shell(script)).rejects.toMatchObject({ code: 1 });

    const parts = await Promise.all(['0', '1'].map((part) => readFile(at('parts', `${part}.ndjson`), 'utf8')));
    const own = (part: string) => part.split('\n').filter((line) => line !== '' && !JSON.parse(line).elsewhere);
    expect(parts.flatMap(own).sort()).toEqual(exchanges.map((one) => JSON.stringify(one)).sort());
    const of = (part: string) => own(part).map((line) => historyOf(JSON.parse(line)));
    for (const name of new Set(exchanges.map(historyOf)))
      if (name !== undefined)
        expect(
          parts.filter((part) => of(part).includes(name)),
          name,
        ).toHaveLength(1);

    const merged = JSON.parse(await readFile(at('whole.json'), 'utf8')) as Report;
    const whole = await judged(lines(...exchanges));
    const counts = ({ rules }: Pick<Report, 'rules'>) =>
      rules.map(({ id, verdict, observations, operations }) => ({ id, verdict, observations, operations }));
    expect(counts(merged)).toEqual(counts(whole));
    expect(merged).toMatchObject({
      verdict: 'nonconformant',
      requests: whole.requests,
      gaps: whole.gaps,
      transitions: whole.transitions,
    });
    expect(await readdir(folder)).toContain('whole.html');
  });

  test('cuts any traffic into any number of parts whose reports merge into that of the whole, to the letter', async () => {
    await writeFile(at('cut.mjs'), block('js', 'cut.mjs'));
    const written = (run: RecordedRun) =>
      writeReport('json', assembleRecording(run, conclude(run, { today: '2026-11-20' })));
    const asRead = (text: string) => runOf(readReport(text, 'part.json'), 'part.json');
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(traffic, fc.integer({ min: 2, max: 5 }), async (all, count) => {
        await rm(at('parts'), { recursive: true, force: true });
        const cutting = promisify(execFile)(process.execPath, ['cut.mjs', String(count)], { cwd: folder });
        cutting.child.stdin?.end(lines(...all));
        await cutting;
        const parts = await Promise.all(
          Array.from({ length: count }, async (_, part) =>
            judged(await readFile(at('parts', `${part}.ndjson`), 'utf8')),
          ),
        );
        const whole = await judged(lines(...all));
        expect(written(parts.map(written).map(asRead).reduce(mergeRuns, emptyRun))).toBe(written(whole));
        followed += whole.callers.filter(({ id, observations }) => id.includes('lost') && observations > 0).length;
      }),
      { numRuns: 4 },
    );
    // What came next after a start that was lost belongs to no one history.
    expect(followed).toBeGreaterThan(0);
  });
});
