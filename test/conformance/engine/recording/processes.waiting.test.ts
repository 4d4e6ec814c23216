import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../../conformance/engine/vocabulary/report.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { findFault } from '../../../../deviations/index.js';
import type { Rule } from '../../../../generated/rules.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { putCommandInto } from '../../../support/command.js';
import { temporaryFolder } from '../../../support/folder.js';
import { judged, lines } from '../../../support/recordings.js';
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
    const examples = ['node_modules', 'workflow-execution-contract', 'examples'];
    await mkdir(at(...examples), { recursive: true });
    const file = new URL('../../../../examples/split-recording.mjs', import.meta.url);
    await copyFile(file, at(...examples, 'split-recording.mjs'));
    await expect(shell('node node_modules/*/examples/split-recording.mjs < /dev/null')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give the number of parts'),
    });
    const script = block('sh', '/split-recording.mjs')
      .replace('split-recording.mjs 8', 'split-recording.mjs 2')
      .replaceAll('npx workflow-execution-contract', 'workflow-contract');
    await expect(shell(script)).rejects.toMatchObject({ code: 1 });

    const parts = await Promise.all(['0', '1'].map((part) => readFile(at('parts', `${part}.ndjson`), 'utf8')));
    expect(parts.join('').split('\n').sort()).toEqual(`${lines(...exchanges)}`.split('\n').sort());

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
    expect(merged.recording).not.toHaveProperty('resumed');
    expect(await readdir(folder)).toContain('whole.html');
  });
});
