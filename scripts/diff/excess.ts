/** Compares schemas in normal form: why may a value that one accepts be invalid by the other? */

import {
  anything,
  type Choice,
  common,
  concerns,
  has,
  isAnything,
  isNothing,
  lower,
  merge,
  type Normal,
  nothing,
  reduced,
} from './normal.js';

/** A reason why a value may be valid by one schema and not by another. */
export interface Reason {
  /** A JSON pointer to the reason: in the newer document, or in the older one for something that was removed. */
  readonly at: string;
  readonly says: string;
  /** The name of the field or operation, or the value, that the newer document does not have. */
  readonly gone?: string;
  /** The name of the field or parameter, or the value, that the older document does not have. */
  readonly come?: string;
  /** What finds lines that still say what was: an extended regular expression. */
  readonly stale?: string;
  /** What else may have changed its meaning: texts for people, although the same values are valid, or the type. */
  readonly words?: 'other' | 'deprecated' | 'type';
}

/** Which schema is the newer one. `narrower`: the second, so fewer values are valid now. `wider`: the first. */
export type Side = 'narrower' | 'wider';

/** The fields to compare. In an open schema, other fields are neither sent nor read. */
type Fields = ReadonlySet<string> | 'all';

/**
 * The reasons why a value that is valid by `one` may be invalid by `other`; none if every value is valid. Choices are
 * not combined with each other, so it may find a reason too many, but never misses one.
 */
export function excess(one: Normal, other: Normal, side: Side, fields: Fields = fieldsOf(one)): Reason[] {
  const [before, after] = side === 'narrower' ? [one, other] : [other, one];
  const told = (keyword: string, narrower: string, wider: string): Reason => ({
    at: after.places.get(keyword) ?? before.places.get(keyword) ?? after.at,
    says: side === 'narrower' ? narrower : wider,
  });
  const changed = (keyword: string, from: unknown, to: unknown): Reason => {
    const says =
      side === 'narrower' ? `${keyword}: ${shown(from)} → ${shown(to)}.` : `${keyword}: ${shown(to)} → ${shown(from)}.`;
    return told(keyword, says, says);
  };
  const within = (part: Normal, of: Normal) => excess(part, of, side, fields === 'all' ? 'all' : fieldsOf(part));

  function* reasons(): Generator<Reason> {
    if (isNothing(one)) return;
    const types = common(one.types, other.types);
    if ([...one.types].some((type) => !types.has(type)))
      yield { ...changed('type', typeNames(one), typeNames(other)), words: 'type' };
    if (types.size === 0) return;

    if (other.values && one.values)
      // Whether null is one, the types say.
      for (const value of one.values.filter((value) => value !== null && !has(other.values, value)))
        yield {
          ...told('enum', `${quoted(shown(value))} is no longer a value.`, `${quoted(shown(value))} is a new value.`),
          ...(side === 'narrower' ? { gone: String(value) } : { come: String(value) }),
        };
    else if (other.values)
      yield told('enum', `Only ${listed(other.values)} is left.`, `No longer only ${listed(other.values)}.`);

    for (const [keyword, bound] of other.bounds)
      if (concerns(keyword, types) && !isWithin(one, keyword, bound))
        yield { ...changed(keyword, one.bounds.get(keyword), bound), ...staleBound(before, keyword) };
    for (const [keyword, all] of other.exact) {
      const missing = [...all].filter((value) => concerns(keyword, types, value) && !isExactly(one, keyword, value));
      if (missing.length > 0) yield changed(keyword, texts(one.exact.get(keyword)), texts(all));
    }
    if (types.has('object')) yield* inFields();
    for (const [keyword, part] of other.parts) {
      if (!concerns(keyword, types)) continue;
      const own = partOf(one, keyword);
      if (isNothing(part) && !isNothing(own))
        yield told(keyword, `${keyword}: nothing is left.`, `${keyword}: there may be something now.`);
      else yield* within(own, part);
    }
    for (const not of other.not)
      if (!isNothing(merge(one, not)) && !one.not.some((own) => fits(not, own)))
        yield told('not', `This is excluded now: ${described(not)}.`, `This is no longer excluded: ${described(not)}.`);
    for (const choice of other.choices) yield* ofChoice(choice);
  }

  function* inFields(): Generator<Reason> {
    for (const name of other.required)
      if (!one.required.has(name) && (side === 'narrower' || fields === 'all' || fields.has(name)))
        yield told('required', `${quoted(name)} is required now.`, `${quoted(name)} is no longer required.`);
    for (const name of new Set([...other.properties.keys(), ...one.properties.keys()])) {
      const wanted = other.properties.get(name) ?? partOf(other, 'additionalProperties');
      const own = one.properties.get(name);
      if (!own && fields !== 'all' && !fields.has(name)) continue;
      const given = own ?? partOf(one, 'additionalProperties');
      if (isNothing(wanted) && !isNothing(given)) {
        const { at } = other.properties.get(name) ?? other;
        yield { at, says: `${quoted(name)} may ${side === 'narrower' ? 'no longer be there' : 'be there now'}.` };
      } else yield* within(given, wanted);
    }
  }

  /** No reason if, for some choice of `one`, the values of each option fit an option of `choice`. */
  function* ofChoice(choice: Choice): Generator<Reason> {
    const groups = [
      [one],
      ...one.choices.map(({ options }) => options.map((option) => merge(one, option))),
      byType(one),
      byValue(one),
    ];
    const best = (part: Normal, index: number): Reason[] => {
      const all = choice.options.map((option) => excess(part, option, side, fields));
      const fewest = Math.min(...all.map(({ length }) => length));
      const same = all[index];
      return (same?.length === fewest ? same : all.find(({ length }) => length === fewest)) ?? [];
    };
    const failures = groups.map((parts) => parts.flatMap((part, index) => best(part, index)));
    if (failures.some(({ length }) => length === 0)) return;
    const unmatched = one.choices.filter((own) => !other.choices.some((theirs) => isSame(own, theirs)));
    const counterpart =
      unmatched.find(({ at }) => at === choice.at) ?? (unmatched.length === 1 ? unmatched[0] : undefined);
    if (counterpart) return yield* failures[1 + one.choices.indexOf(counterpart)] ?? [];
    const options = choice.options.map(described).join(', or ');
    const says =
      side === 'narrower'
        ? `One of these has to hold now: ${options}.`
        : `Of these none has to hold any more: ${options}.`;
    yield { at: choice.at, says };
  }

  const found = [...reasons()];
  // A reason may be void because every option of a choice excludes it.
  const isClosed = (choice: Choice) => {
    const rest = { ...one, choices: one.choices.filter((other) => other !== choice) };
    return choice.options.every((option) => excess(merge(rest, option), other, side, fields).length === 0);
  };
  return found.length > 0 && one.choices.some(isClosed) ? [] : found;
}

/** Lines that name a field and the bound that it had. */
function staleBound({ bounds, places }: Normal, keyword: string): Pick<Reason, 'stale'> {
  const [, field] = /.*\/properties\/([^/]+)/.exec(places.get(keyword) ?? '') ?? [];
  const bound = bounds.get(keyword);
  return field === undefined || bound === undefined ? {} : { stale: `\\b${field}\\b.*\\b${bound}\\b` };
}

/** Whether every value that is valid by `one` is valid by `other`, with all fields compared. */
const fits = (one: Normal, other: Normal): boolean => excess(one, other, 'narrower', 'all').length === 0;

/** Removes choices that are none: those of one option, of one that always holds, or of types or values only. */
export function simplified(schema: Normal): Normal {
  let base: Normal = { ...schema, choices: [] };
  const left: Choice[] = [];
  for (const { at, options: given } of schema.choices) {
    const possible = given.filter((option) => !isNothing(merge(base, option)));
    const options = possible.filter(
      (option, index) =>
        !possible.some((other, at) => at !== index && fits(option, other) && (at < index || !fits(other, option))),
    );
    if (options.some((option) => fits(base, option) && knows(base, option))) continue;
    const [first, ...others] = options;
    const nullable = nullableOf(options);
    if (!first) return { ...nothing(schema.at), places: schema.places, notes: schema.notes };
    if (others.length === 0) base = merge(base, first);
    else if (nullable) base = merge(base, nullable);
    else if (options.every(isOfTypes)) base = merge(base, { ...first, types: typesOf(options) });
    else if (options.every(isOfValues)) base = merge(base, ofValues(at, options));
    else left.push({ at, options });
  }
  for (const { options } of left) base = { ...base, types: common(base.types, typesOf(options)) };
  return reduced({ ...base, choices: [...base.choices, ...left] });
}

const typesOf = (options: readonly Normal[]) => new Set(options.flatMap(({ types }) => [...types]));

/** Whether a schema names all fields of an option. If not, a choice that always holds still shows fields. */
const knows = (schema: Normal, option: Normal): boolean => {
  const known = fieldsOf(schema);
  return [...fieldsOf(option)].every((name) => known.has(name));
};

/** Joins a choice between a schema and null into one schema that also allows null. */
function nullableOf(options: readonly Normal[]): Normal | undefined {
  const empty = options.find((option) => isOfTypes(option) && option.types.size === 1 && option.types.has('null'));
  const [full, ...others] = options.filter((option) => option !== empty);
  if (!empty || !full || others.length > 0 || full.types.has('null') || full.not.length > 0) return undefined;
  return {
    ...full,
    types: new Set([...full.types, 'null']),
    values: full.values && [...full.values, null],
    choices: full.choices.map(({ at, options: own }) => ({ at, options: [...own, empty] })),
  };
}

const isOfTypes = (schema: Normal): boolean => isAnything({ ...schema, types: anything('').types });
const isOfValues = (schema: Normal): boolean =>
  schema.values !== undefined && isAnything({ ...schema, values: undefined, types: anything('').types });

function ofValues(at: string, options: readonly Normal[]): Normal {
  const values = options.flatMap((option) => option.values ?? []);
  return reduced({ ...anything(at), values, notes: options.flatMap(({ notes }) => notes) });
}

const byType = (schema: Normal): Normal[] =>
  [...schema.types].map((type) => reduced({ ...schema, types: new Set([type]) }));
const byValue = (schema: Normal): Normal[] =>
  (schema.values ?? [nothing]).flatMap((value) =>
    schema.values ? [reduced({ ...schema, values: [value] })] : [schema],
  );

/** The names of all fields that a value may have, including those of all options. */
export function fieldsOf(schema: Normal): ReadonlySet<string> {
  const own = [...schema.properties].flatMap(([name, field]) => (isNothing(field) || field.isRestated ? [] : [name]));
  return new Set([
    ...own,
    ...schema.choices.flatMap(({ options }) => options.flatMap((option) => [...fieldsOf(option)])),
  ]);
}

/** The schema of a part of a value. */
function partOf(schema: Normal, keyword: string): Normal {
  return schema.parts.get(keyword) ?? anything(schema.at);
}

function isWithin({ bounds }: Normal, keyword: string, bound: number): boolean {
  const own = bounds.get(keyword);
  return lower.includes(keyword)
    ? (own ?? (keyword === 'minimum' ? -Infinity : 0)) >= bound
    : (own ?? Infinity) <= bound;
}

const isExactly = ({ exact }: Normal, keyword: string, value: string): boolean =>
  exact.get(keyword)?.has(value) ?? false;

const isSame = (one: Choice, other: Choice): boolean => signature(one.options) === signature(other.options);

/** A text that is equal for schemas with the same demands, wherever they stand and however they are described. */
export function signature(of: unknown): string {
  return JSON.stringify(of, (key, value) => {
    if (['at', 'places', 'notes', 'isRestated'].includes(key)) return undefined;
    if (value instanceof Set) return [...value].sort();
    return value instanceof Map ? [...value].sort(([one], [other]) => (one < other ? -1 : 1)) : value;
  });
}

/** Describes an option of a choice: `without head`. */
function described(schema: Normal): string {
  const fields = [...schema.properties].flatMap(([name, field]) => {
    if (isNothing(field)) return [`without ${quoted(name)}`];
    return field.values ? [`${quoted(name)} is ${listed(field.values)}`] : [];
  });
  const required = [...schema.required].filter((name) => !schema.properties.get(name)?.values);
  const says = [...required.map((name) => `with ${quoted(name)}`), ...fields];
  if (schema.values) says.push(listed(schema.values));
  for (const not of schema.not) says.push(`not (${described(not)})`);
  return says.length > 0 ? says.join(' and ') : `what ${schema.at.replace(/^#\/components\//, '')} says`;
}

function typeNames({ types }: Normal): string {
  return types.size === anything('').types.size ? 'anything' : [...types].sort().join(' or ') || 'nothing';
}

const texts = (all: ReadonlySet<string> | undefined) => (all ? [...all].sort().join(' and ') : undefined);
const quoted = (name: string) => `\`${name}\``;
const listed = (values: readonly unknown[]) => values.map((value) => shown(value)).join(' or ');

/** Shows a value in at most 60 characters. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
