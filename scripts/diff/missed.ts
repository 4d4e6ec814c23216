import type { RedoclyChange } from './redocly.js';
import type { Use } from './uses.js';

/** Why a change that Redocly does not rate as breaking breaks callers of this contract, or nothing when it does not. */
export function missedBreak(change: RedoclyChange, uses: readonly Use[]): string | undefined {
  const { typeName, kind, property = '' } = change;
  const [before, after] = [change.base?.value, change.revision?.value];
  const [sent, answered] = [uses.includes('request'), uses.includes('response')];

  // The contract says with `false` that a field is not there: exclusivity, and what only some states have.
  if (typeName === 'SchemaProperties') {
    if (sent && after === false) return `${property} may no longer be sent here.`;
    if (answered && before === false) return `${property} may now be in an answer here.`;
  }
  if (typeName === 'DependentRequired') {
    if (sent && hasMore(after, before)) return `More is required beside a field: ${JSON.stringify(after)}.`;
    if (answered && hasMore(before, after)) return `Less is sure to be beside a field: ${JSON.stringify(after ?? {})}.`;
  }
  // Callers who leave the field out get something else.
  if (sent && property === 'default') return `The default changed from ${String(before)} to ${String(after)}.`;
  // The schema stays open, but nothing is done with the field any more.
  if (sent && typeName === 'Schema' && kind === 'removed') {
    const name = /\/properties\/([^/]+)$/.exec(change.base?.pointer ?? '')?.[1];
    if (name) return `${name} is no longer a field of the request.`;
  }
  if (typeName === 'SpecExtension' && /\/x-lifecycle\/(?:initial|terminal)$/.test(change.base?.pointer ?? ''))
    return `The ${property} states changed from ${String(before)} to ${String(after)}.`;
  return undefined;
}

/** Whether one list, or one list of an object of lists, has something that its counterpart lacks. */
function hasMore(list: unknown, other: unknown): boolean {
  if (Array.isArray(list)) return list.some((item) => !Array.isArray(other) || !other.includes(item));
  const counterparts = (other ?? {}) as Record<string, unknown>;
  return Object.entries(list ?? {}).some(([key, inner]) => hasMore(inner, counterparts[key]));
}
