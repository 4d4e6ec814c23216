import { withSchemas } from '../generate/bundle.js';
import type { Document } from '../generate/document.js';
import { mapSchema } from '../generate/schema.js';
import { missedBreak } from './missed.js';
import { type RedoclyChange, redoclyChanges } from './redocly.js';
import { type Use, usesOf } from './uses.js';

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
export async function changesBetween(before: Document, after: Document, scratch: string): Promise<Change[]> {
  const [base, revision] = [inOneWay(before), inOneWay(after)];
  const changes = await redoclyChanges(base, revision, scratch);
  const [baseUses, revisionUses] = [usesOf(base), usesOf(revision)];

  return changes.map((change) => {
    const isGone = change.revision?.value === undefined;
    const pointer = ((isGone ? change.base : undefined) ?? change.revision)?.pointer ?? '#';
    const uses = [...new Set([...baseUses(pointer), ...revisionUses(pointer)])];
    const missed = change.impact === 'major' ? undefined : missedBreak(change, uses);
    return { breaking: change.impact === 'major' || missed !== undefined, pointer, says: missed ?? says(change), uses };
  });
}

/** `const: 1` and `enum: [1]` say the same. */
const inOneWay = (document: Document): Document =>
  withSchemas(document, (schema) =>
    mapSchema(schema, ({ const: only, ...part }) => (only === undefined ? part : { ...part, enum: [only] })),
  );

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
