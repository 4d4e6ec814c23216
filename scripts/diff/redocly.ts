import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from '../generate/document.js';
import { runRedocly } from '../lint/redocly.js';

/** One change as `redocly diff --format json` reports it. */
export interface RedoclyChange {
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly impact: 'major' | 'minor' | 'patch';
  readonly verdicts: readonly { readonly ruleId: string; readonly impact: string; readonly message: string }[];
  /** The keyword or name that changed, where not the whole node did. */
  readonly property?: string;
  readonly base?: { readonly pointer: string; readonly value?: unknown };
  readonly revision?: { readonly pointer: string; readonly value?: unknown };
}

/** What Redocly finds changed from one bundled contract to another, by way of files in `scratch`. */
export async function redoclyChanges(base: Document, revision: Document, scratch: string): Promise<RedoclyChange[]> {
  const [before, after] = [join(scratch, 'before.json'), join(scratch, 'after.json')];
  const [config, report] = [join(scratch, 'redocly.yaml'), join(scratch, 'report.json')];
  await writeFile(before, JSON.stringify(base));
  await writeFile(after, JSON.stringify(revision));
  // Under the configuration of the linter no rule of the comparison would run.
  await writeFile(config, 'extends: [diff-recommended]\n');
  const options = ['--config', config, '--format', 'json', '--output', report, '--fail-on', 'none'];
  await runRedocly('diff', before, after, ...options);
  const { changes } = JSON.parse(await readFile(report, 'utf8')) as { changes: RedoclyChange[] };
  return changes;
}
