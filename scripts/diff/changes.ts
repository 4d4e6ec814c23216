import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runRedocly } from '../generate/bundle.js';
import type { Document } from '../generate/document.js';
import { missedBreak } from './missed.js';
import { type Use, usesOf } from './uses.js';

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

/** What changed at one place of the contract. */
export interface Change {
  readonly breaking: boolean;
  /** A JSON pointer into the bundled contract: the new one, or the old one for what is gone. */
  readonly pointer: string;
  readonly says: string;
  /** Who has to care, as far as the place tells. */
  readonly uses: readonly Use[];
}

/** What changed from one bundled contract to another: as Redocly finds and rates it, and what it rates too low. */
export async function changesBetween(base: Document, revision: Document, scratch: string): Promise<Change[]> {
  const [before, after] = [join(scratch, 'before.json'), join(scratch, 'after.json')];
  const [config, report] = [join(scratch, 'redocly.yaml'), join(scratch, 'report.json')];
  await writeFile(before, JSON.stringify(base));
  await writeFile(after, JSON.stringify(revision));
  // Under the configuration of the linter no rule of the comparison would run.
  await writeFile(config, 'extends: [diff-recommended]\n');
  const options = ['--config', config, '--format', 'json', '--output', report, '--fail-on', 'none'];
  await runRedocly('diff', before, after, ...options);
  const { changes } = JSON.parse(await readFile(report, 'utf8')) as { changes: RedoclyChange[] };
  const [baseUses, revisionUses] = [usesOf(base), usesOf(revision)];

  return changes.map((change) => {
    const isGone = change.revision?.value === undefined;
    const pointer = ((isGone ? change.base : undefined) ?? change.revision)?.pointer ?? '#';
    const uses = [...new Set([...baseUses(pointer), ...revisionUses(pointer)])];
    const missed = change.impact === 'major' ? undefined : missedBreak(change, uses);
    return { breaking: change.impact === 'major' || missed !== undefined, pointer, says: missed ?? says(change), uses };
  });
}

function says({ kind, property, verdicts, base, revision }: RedoclyChange): string {
  if (verdicts.length > 0) return verdicts.map(({ message }) => message).join(' ');
  if (property === undefined) return `${kind}.`;
  if (property === 'description' || property === 'summary') return `The ${property} changed.`;
  return `${property}: ${show(base?.value)} → ${show(revision?.value)}.`;
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
