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

/** Why a value may be valid by one schema and not by another. */
export interface Reason {
  /** A JSON pointer to what says so: in the newer document, or in the older one for what is gone. */
  readonly at: string;
  readonly says: string;
  /** The name of a field or an operation, or the value, that is not in the newer document. */
  readonly gone?: string;
  /** The name of a field or a parameter, or the value, that is not in the older document. */
  readonly come?: string;
  /** What people read changed: what it means may be something else, though the same is valid. */
  readonly words?: 'other' | 'deprecated';
}

/** Which of the two schemas is the newer one: where it is the second, what is valid got less. */
export type Side = 'narrower' | 'wider';

/** The fields that count. Where a schema is open, nobody sends or reads the others. */
type Fields = ReadonlySet<string> | 'all';

/**
 * Why a value that is valid by `one` may not be valid by `other`: nothing where each value is. It takes no two choices
 * together, so it may give a reason where there is none, and gives one wherever there is one.
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
    if ([...one.types].some((type) => !types.has(type))) yield changed('type', typeNames(one), typeNames(other));
    if (types.size === 0) return;

    if (other.values && one.values)
      for (const value of one.values.filter((value) => !has(other.values, value)))
        yield {
          ...told('enum', `${quoted(shown(value))} is no longer a value.`, `${quoted(shown(value))} is a new value.`),
          ...(side === 'narrower' ? { gone: String(value) } : { come: String(value) }),
        };
    else if (other.values)
      yield told('enum', `Only ${listed(other.values)} is left.`, `No longer only ${listed(other.values)}.`);

    for (const [keyword, bound] of other.bounds)
      if (concerns(keyword, types) && !isWithin(one, keyword, bound))
        yield changed(keyword, one.bounds.get(keyword), bound);
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

  /** Nothing where the values of each option of some choice of the one fit an option of the choice of the other. */
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
  // What the schema itself leaves open, each option of a choice may close.
  const isClosed = (choice: Choice) => {
    const rest = { ...one, choices: one.choices.filter((other) => other !== choice) };
    return choice.options.every((option) => excess(merge(rest, option), other, side, fields).length === 0);
  };
  return found.length > 0 && one.choices.some(isClosed) ? [] : found;
}

/** Whether each value that is valid by `one` is valid by `other`, whoever knows its fields. */
const fits = (one: Normal, other: Normal): boolean => excess(one, other, 'narrower', 'all').length === 0;

/** The schema without choices that are none: of one option, of one that always holds, of types or values alone. */
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

/** Whether the schema names all fields of an option that holds anyway: else a choice tells of fields, if of nothing else. */
const knows = (schema: Normal, option: Normal): boolean => {
  const known = fieldsOf(schema);
  return [...fieldsOf(option)].every((name) => known.has(name));
};

/** Of a schema and null: the schema that may be null as well. What it says of its fields holds of these, and of nothing else. */
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

/** The names of all fields that a value may have, of whichever option. */
export function fieldsOf(schema: Normal): ReadonlySet<string> {
  const own = [...schema.properties].flatMap(([name, field]) => (isNothing(field) || field.isRestated ? [] : [name]));
  return new Set([
    ...own,
    ...schema.choices.flatMap(({ options }) => options.flatMap((option) => [...fieldsOf(option)])),
  ]);
}

/** What a part of a value has to be. */
function partOf(schema: Normal, keyword: string): Normal {
  return schema.parts.get(keyword) ?? anything(schema.at);
}

function isWithin({ bounds }: Normal, keyword: string, bound: number): boolean {
  const own = bounds.get(keyword);
  if (
    lower.includes(keyword)
      ? (own ?? (keyword.includes('inimum') ? -Infinity : 0)) >= bound
      : (own ?? Infinity) <= bound
  )
    return true;
  const [inclusive, exclusive] = [keyword.replace('exclusiveM', 'm'), keyword.replace(/^m(?=in|ax)/, 'exclusiveM')];
  const beyond = (value: number | undefined, orEqual: boolean) =>
    value !== undefined &&
    (orEqual && value === bound ? true : lower.includes(keyword) ? value > bound : value < bound);
  return keyword === inclusive ? beyond(bounds.get(exclusive), true) : beyond(bounds.get(inclusive), false);
}

function isExactly({ exact }: Normal, keyword: string, value: string): boolean {
  const own = exact.get(keyword);
  if (keyword !== 'multipleOf') return own?.has(value) ?? false;
  return [...(own ?? [])].some((multiple) => Number.isInteger(Number(multiple) / Number(value)));
}

const isSame = (one: Choice, other: Choice): boolean => signature(one.options) === signature(other.options);

/** What a schema demands, wherever and in whatever words. */
export function signature(of: unknown): string {
  return JSON.stringify(of, (key, value) => {
    if (['at', 'places', 'notes', 'isRestated'].includes(key)) return undefined;
    if (value instanceof Set) return [...value].sort();
    return value instanceof Map ? [...value].sort(([one], [other]) => (one < other ? -1 : 1)) : value;
  });
}

/** An option of a choice in words: `without head`. */
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

/** A value for a reader, in at most 60 characters. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
