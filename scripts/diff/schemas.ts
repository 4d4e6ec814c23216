/** Compares two schemas. */

import { excess, fieldsOf, type Reason, shown, signature } from './excess.js';
import { isNothing, type Normal, type Note } from './normal.js';
import type { Use } from './normalise.js';

/** A difference between two schemas. */
export interface Difference extends Reason {
  /**
   * Whom the difference breaks, if they follow the older document and do nothing else. `clients`: only callers of generated
   * clients, which have its names.
   */
  readonly breaks: 'callers' | 'services' | 'clients' | undefined;
  /** The operation whose success statuses changed, or those of a caller's mistakes. */
  readonly succeeds?: string;
  readonly fails?: string;
}

/** The differences between two schemas, for those who send or read their values. */
export function schemaDifferences(before: Normal, after: Normal, use: Use): Difference[] {
  const [narrower, wider] = use === 'request' ? (['callers', 'services'] as const) : (['services', 'callers'] as const);
  return [
    ...excess(before, after, 'narrower').map((reason) => ({ ...reason, breaks: narrower })),
    ...excess(after, before, 'wider').map((reason) => ({ ...reason, breaks: wider })),
    ...told(before, after, use),
  ];
}

/** Differences in fields and notes, which do not show in validity. */
function* told(before: Normal, after: Normal, use: Use): Generator<Difference> {
  yield* noteDifferences(before.notes, after.notes, use);
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const news = [...now].filter((name) => !old.has(name));
  for (const name of old) {
    const fields = fieldsCalled(before, name);
    const counterparts = fieldsCalled(after, name);
    if (counterparts.length === 0)
      yield gone(
        name,
        fields,
        news.filter((other) => isAlike(fields, fieldsCalled(after, other))),
      );
    for (const [index, field] of fields.entries()) {
      const counterpart = counterparts[index];
      if (counterpart) yield* told(field, counterpart, use);
    }
  }
  for (const name of news) {
    const at = fieldsCalled(after, name)[0]?.at ?? after.at;
    const says = `\`${name}\` is a new field.`;
    yield { at, says, breaks: use === 'request' ? 'services' : undefined, come: name };
  }
  for (const [keyword, part] of before.parts) {
    const counterpart = after.parts.get(keyword);
    if (counterpart) yield* told(part, counterpart, use);
  }
  const notes = ({ choices }: Normal) => choices.flatMap(({ options }) => options.flatMap((option) => option.notes));
  yield* noteDifferences(notes(before), notes(after), use);
}

/** A field that was removed. It breaks callers, whether they send it or read it. */
function gone(name: string, fields: readonly Normal[], renamed: readonly string[]): Difference {
  const hint = renamed.length === 1 ? `; \`${renamed[0]}\` takes the same values, under another name` : '';
  return { at: fields[0]?.at ?? '#', says: `\`${name}\` is no longer a field${hint}.`, breaks: 'callers', gone: name };
}

const isAlike = (fields: readonly Normal[], others: readonly Normal[]) => signature(fields) === signature(others);

/** The fields of that name, in the schema itself and in its options. */
export function fieldsCalled(schema: Normal, name: string): Normal[] {
  const own = schema.properties.get(name);
  const options = schema.choices.flatMap((choice) => choice.options.flatMap((option) => fieldsCalled(option, name)));
  return [...(own && !isNothing(own) && !own.isRestated ? [own] : []), ...options];
}

/** The differences in descriptions, defaults and `x-` keywords. */
export function* noteDifferences(before: readonly Note[], after: readonly Note[], use?: Use): Generator<Difference> {
  const lacking = (notes: readonly Note[], others: readonly Note[]) =>
    notes.filter(
      ({ keyword, value }) => !others.some((other) => other.keyword === keyword && isSame(other.value, value)),
    );
  const [gone, come] = [lacking(before, after), lacking(after, before)];
  for (const keyword of new Set([...gone, ...come].map((note) => note.keyword))) {
    const [old, now] = [gone, come].map((notes) => notes.filter((note) => note.keyword === keyword));
    if (keyword === 'x-gap') {
      for (const { value, at } of old ?? [])
        yield { at, says: `The gap ${value} is not open here any more.`, breaks: undefined };
      for (const { value, at } of now ?? [])
        yield { at, says: `The gap ${value} is open here now.`, breaks: undefined };
    } else yield* noteDifference(keyword, old?.[0], now?.[0], use);
  }
}

function* noteDifference(keyword: string, before?: Note, after?: Note, use?: Use): Generator<Difference> {
  const at = (after ?? before)?.at ?? '#';
  const [old, now] = [before?.value, after?.value];
  if (keyword === 'x-lifecycle') return yield* lifecycleDifferences(at, old as Lifecycle, now as Lifecycle);
  if (['description', 'summary', 'title'].includes(keyword) && before && after)
    return yield { at, says: `The ${keyword}: ${inWords(old, now)}`, breaks: undefined, words: 'other' };
  // Those who leave the field out get another value. Without an earlier default, nobody could rely on one.
  const breaks = keyword === 'default' && use === 'request' && before ? 'callers' : undefined;
  const words = keyword === 'deprecated' && now === true ? ({ words: 'deprecated' } as const) : {};
  const says = `${keyword}: ${shown(old)} → ${shown(now)}`;
  yield { at, says: says.endsWith('.') ? says : `${says}.`, breaks, ...words };
}

/** Shows where two texts differ, with a word before and after. */
function inWords(old: unknown, now: unknown): string {
  const [was, is] = [old, now].map((text) => `${text}`.trim().split(/\s+/));
  const same = (from: 0 | -1) => {
    let count = 0;
    const at = (words: readonly string[] = []) => words.at(from === 0 ? count : -1 - count);
    while (at(was) !== undefined && at(was) === at(is)) count += 1;
    return Math.max(0, count - 1);
  };
  const [before, after] = [same(0), same(-1)];
  const part = (words: readonly string[] = []) =>
    `“${shown(words.slice(before, Math.max(before, words.length - after)).join(' '))}”`;
  return `${part(was)} → ${part(is)}.`;
}

interface Lifecycle {
  readonly initial?: readonly string[];
  readonly active?: readonly string[];
  readonly stopped?: readonly string[];
  readonly terminal?: readonly string[];
  readonly transitions?: readonly unknown[];
}

/** Callers depend on the initial and terminal states; the others and transitions only tell what may happen. */
function* lifecycleDifferences(at: string, before: Lifecycle = {}, after: Lifecycle = {}): Generator<Difference> {
  for (const key of ['initial', 'active', 'stopped', 'terminal'] as const)
    if (!isSame([...(before[key] ?? [])].sort(), [...(after[key] ?? [])].sort()))
      yield {
        at: `${at}/${key}`,
        says: `The ${key} states: ${shown(before[key])} → ${shown(after[key])}.`,
        breaks: key === 'initial' || key === 'terminal' ? 'callers' : undefined,
      };
  const [old, now] = [before.transitions ?? [], after.transitions ?? []];
  const lacks = (list: readonly unknown[], one: unknown) => !list.some((other) => isSame(other, one));
  for (const one of old.filter((transition) => lacks(now, transition)))
    yield { at: `${at}/transitions`, says: `The transition ${shown(one)} is not shown any more.`, breaks: undefined };
  for (const one of now.filter((transition) => lacks(old, transition)))
    yield { at: `${at}/transitions`, says: `The transition ${shown(one)} is shown now.`, breaks: undefined };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
