import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Report } from '../../conformance/engine/vocabulary/report.js';
import { run } from './process.js';

/** Files that guides take as given, by their path. */
export type Given = ReadonlyMap<string, string | Uint8Array>;

/** What somebody may have recorded, and the reports of it, from one run. */
export async function makeGiven(workshop: string): Promise<Given> {
  const folder = join(workshop, 'given');
  const command = join(workshop, 'node_modules/.bin/workflow-contract');
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  await mkdir(folder);
  const checked = await run(folder, command, ['check', '--report', 'json=report.json', '--report', 'har=session.har']);
  expect(checked.code, checked.stderr).toBe(0);
  const report = await read('report.json');
  const { target } = JSON.parse(report) as Report;
  const recording = (await read('session.har')).replaceAll(target.baseUrl, 'https://workflows.example.com');
  const { log } = JSON.parse(recording) as { log: { entries: { request: { url: string } }[] } };
  const lines = log.entries.map((entry) => JSON.stringify(entry)).join('\n');
  const half = Math.ceil(log.entries.length / 2);
  const har = (entries: unknown[]) => JSON.stringify({ log: { ...log, entries } });
  const partOf = async (name: string, entries: unknown[]) => {
    await writeFile(join(folder, `${name}.har`), har(entries));
    const judged = await run(folder, command, ['check', '--recording', `${name}.har`, '--report', `json=${name}.json`]);
    expect(judged.code, judged.stderr).toBe(0);
    return read(`${name}.json`);
  };
  const isOfProfile = (entry: (typeof log.entries)[number]) => entry.request.url.includes('/agent-profiles/');
  const guide = await readFile(fileURLToPath(new URL('../../docs/callers.md', import.meta.url)), 'utf8');
  const [, caller = ''] = /```js\n(.*?)```/s.exec(guide) ?? [];
  return new Map<string, string | Uint8Array>([
    ['my-test.mjs', caller],
    ['report.json', report],
    ['part-1.json', await partOf('part-1', log.entries.filter(isOfProfile))],
    [
      'part-2.json',
      await partOf(
        'part-2',
        log.entries.filter((entry) => !isOfProfile(entry)),
      ),
    ],
    ['session.har', recording],
    ['monday/morning.har', har(log.entries.slice(0, half))],
    ['tuesday/morning.har', har(log.entries.slice(half))],
    ['exchanges.ndjson', lines],
    ['exchanges.ndjson.gz', gzipSync(lines)],
  ]);
}
