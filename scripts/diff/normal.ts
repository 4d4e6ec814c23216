/** The normal form of schemas, which `normalise` makes. */

export type Type = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string';

/** A keyword without influence on validity: `description`, `default`, `x-gap`. */
export interface Note {
  readonly keyword: string;
  readonly value: unknown;
  /** A JSON pointer into the document. */
  readonly at: string;
}

/** Schemas of which at least one must hold: an `anyOf`, a `oneOf` or an `if`. */
export interface Choice {
  readonly at: string;
  readonly options: readonly Normal[];
}

/** A schema with references resolved and `allOf` merged, as sets and maps of demands. */
export interface Normal {
  /** A JSON pointer to the schema. */
  readonly at: string;
  /** JSON pointers to its keywords. */
  readonly places: ReadonlyMap<string, string>;
  /** `number` includes `integer`. */
  readonly types: ReadonlySet<Type>;
  readonly values: readonly unknown[] | undefined;
  /** `minimum`, `maxLength` and the like. */
  readonly bounds: ReadonlyMap<string, number>;
  /** `format`, and keywords that are compared literally. After a merge, each may have several values. */
  readonly exact: ReadonlyMap<string, ReadonlySet<string>>;
  readonly required: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, Normal>;
  /** Schemas of other parts of a value: `items`, `additionalProperties`. */
  readonly parts: ReadonlyMap<string, Normal>;
  readonly not: readonly Normal[];
  readonly choices: readonly Choice[];
  readonly notes: readonly Note[];
  /** For a field: whether only a condition mentions it here, and it is defined elsewhere. */
  readonly isRestated?: boolean;
}

const allTypes: readonly Type[] = ['null', 'boolean', 'object', 'array', 'number', 'string'];

export const anything = (at: string): Normal => ({
  at,
  places: new Map(),
  types: new Set(allTypes),
  values: undefined,
  bounds: new Map(),
  exact: new Map(),
  required: new Set(),
  properties: new Map(),
  parts: new Map(),
  not: [],
  choices: [],
  notes: [],
});

export const nothing = (at: string): Normal => ({ ...anything(at), types: new Set() });

/** Whether no value is valid. */
export const isNothing = (schema: Normal): boolean => schema.types.size === 0;

export const lower = ['minimum', 'minLength', 'minItems'];
export const upper = ['maximum', 'maxLength', 'maxItems'];

const typesOf = new Map<string, readonly Type[]>(
  (
    [
      [
        ['number', 'integer'],
        ['minimum', 'maximum', 'format int32', 'format int64'],
      ],
      [['string'], ['minLength', 'maxLength', 'pattern', 'format']],
      [['array'], ['minItems', 'maxItems', 'items']],
      [['object'], ['additionalProperties', 'properties', 'required']],
    ] as const
  ).flatMap(([types, keywords]) => keywords.map((keyword) => [keyword, types] as const)),
);

/** Whether a keyword restricts values of one of the types. It never restricts values of other types. */
export function concerns(keyword: string, types: ReadonlySet<Type>, value = ''): boolean {
  const own = typesOf.get(`${keyword} ${value}`) ?? typesOf.get(keyword);
  return own === undefined || own.some((type) => types.has(type));
}

/** The schema of values that both schemas accept. Places of the first take precedence. */
export function merge(one: Normal, other: Normal): Normal {
  return reduced({
    at: one.at,
    places: new Map([...other.places, ...one.places]),
    types: common(one.types, other.types),
    values:
      one.values && other.values
        ? one.values.filter((value) => has(other.values, value))
        : (one.values ?? other.values),
    bounds: joined(one.bounds, other.bounds, (a, b, keyword) =>
      lower.includes(keyword) ? Math.max(a, b) : Math.min(a, b),
    ),
    exact: joined(one.exact, other.exact, (a, b) => new Set([...a, ...b])),
    required: new Set([...one.required, ...other.required]),
    properties: joined(closedBy(one, other), closedBy(other, one), merge),
    parts: joined(one.parts, other.parts, merge),
    not: [...one.not, ...other.not],
    choices: [...one.choices, ...other.choices],
    notes: [...one.notes, ...other.notes],
    isRestated: (one.isRestated ?? false) && (other.isRestated ?? false),
  });
}

/** The fields of the first schema, restricted by `additionalProperties` of the other if that does not name them. */
function closedBy({ properties }: Normal, other: Normal): ReadonlyMap<string, Normal> {
  const rest = other.parts.get('additionalProperties');
  if (!rest) return properties;
  return new Map(
    [...properties].map(([name, field]) => [name, other.properties.has(name) ? field : merge(field, rest)]),
  );
}

function joined<V>(one: ReadonlyMap<string, V>, other: ReadonlyMap<string, V>, both: (a: V, b: V, key: string) => V) {
  const all = new Map([...other, ...one]);
  for (const [key, a] of one) {
    const b = other.get(key);
    if (b !== undefined) all.set(key, both(a, b, key));
  }
  return all;
}

/** Removes demands without effect, such as the length of a number. */
export function reduced(schema: Normal): Normal {
  const excluded = schema.not.flatMap((not) => (isListOfValues(not) ? (not.values ?? []) : []));
  const values = schema.values
    ?.filter((value) => schema.types.has(typeOf(value)) || schema.types.has(widened(typeOf(value))))
    .filter((value) => !has(excluded, value));
  const isImpossible =
    schema.not.some(isAnything) ||
    values?.length === 0 ||
    (only(schema.types, 'object') && [...schema.required].some((name) => isNever(schema.properties.get(name))));
  if (isImpossible || isNothing(schema)) return { ...nothing(schema.at), places: schema.places, notes: schema.notes };

  const types = values ? common(schema.types, new Set(values.map(typeOf))) : schema.types;
  const isBoolean = only(types, 'boolean') && values?.length === 2;
  const isNull = only(types, 'null');
  const kept = <V>(map: ReadonlyMap<string, V>) => new Map([...map].filter(([keyword]) => concerns(keyword, types)));
  return {
    ...schema,
    types,
    values: isBoolean || isNull ? undefined : values,
    bounds: kept(schema.bounds),
    exact: new Map(
      [...schema.exact].flatMap(([keyword, all]) => {
        const those = [...all].filter((value) => concerns(keyword, types, value));
        return those.length > 0 ? [[keyword, new Set(those)] as const] : [];
      }),
    ),
    required: types.has('object') ? schema.required : new Set(),
    properties: types.has('object') ? schema.properties : new Map(),
    parts: new Map([...kept(schema.parts)].filter(([, part]) => !isAnything(part))),
    not: schema.not.filter((not) => !isNothing(not) && !(values && isListOfValues(not))),
  };
}

/** Whether every value is valid. */
export const isAnything = (schema: Normal): boolean =>
  schema.types.size === allTypes.length &&
  schema.values === undefined &&
  [schema.bounds, schema.exact, schema.required, schema.properties, schema.parts].every(({ size }) => size === 0) &&
  [schema.not, schema.choices].every(({ length }) => length === 0);

const isNever = (schema: Normal | undefined): boolean => schema !== undefined && isNothing(schema);

const isListOfValues = (schema: Normal): boolean => schema.values !== undefined && schema.choices.length === 0;

const only = (types: ReadonlySet<Type>, type: Type): boolean => types.size === 1 && types.has(type);

export const has = (values: readonly unknown[] | undefined, value: unknown): boolean =>
  values?.some((one) => JSON.stringify(one) === JSON.stringify(value)) ?? false;

const widened = (type: Type): Type => (type === 'integer' ? 'number' : type);

/** The types that both sets allow; `number` includes `integer`. */
export function common(one: ReadonlySet<Type>, other: ReadonlySet<Type>): ReadonlySet<Type> {
  const within = (types: ReadonlySet<Type>, type: Type) => types.has(type) || types.has(widened(type));
  return new Set([
    ...[...one].filter((type) => within(other, type)),
    ...[...other].filter((type) => within(one, type)),
  ]);
}

function typeOf(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value as Type;
}
