/** Explains violations of a schema to the user who wrote the file. */

import { nearest, suggestion } from '../../../common/nearest.js';
import type { FileValidator, MistakenPart } from '../../../generated/settings.js';
import { type Fields, isFields } from '../outcome/read.js';
import type { Mistake, Path } from './file.js';

/** The keywords of JSON Schema that describe files of users. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly then?: Schema;
  readonly [keyword: string]: unknown;
}

/** Nobody reads more, and searching for similar names takes time. */
const mostTold = 50;

/** Finds the violations of a schema, explained with a remedy. Does not quote values: they may be secret. */
export function mistakesBy(schema: Schema, validate: FileValidator): (value: unknown) => Mistake[] {
  const allNames = names(schema);
  return (value) => {
    validate(value);
    const errors = validate.errors ?? [];
    return listedOnce(
      firstMistakes(
        (function* () {
          // The branch of an `if` reports by itself.
          for (const error of errors) if (error.keyword !== 'if') yield* mistakesIn(error, allNames);
        })(),
      ),
    );
  };
}

/** The first mistakes; a file may have any number of them. */
export function firstMistakes(mistakes: Iterable<Mistake>): Mistake[] {
  const found: Mistake[] = [];
  for (const mistake of mistakes) {
    if (found.length === mostTold) return [...found, { path: [], text: 'the file has more mistakes.' }];
    found.push(mistake);
  }
  return found;
}

/** Lists the valid names only once, with the first unknown name. */
function listedOnce(mistakes: readonly Mistake[]): Mistake[] {
  const lists = new Set<string>();
  return mistakes.map(({ path, text }) => {
    const [, start, list] = /^(.*); use one of (.*)$/.exec(text) ?? [];
    if (start === undefined || list === undefined) return { path, text };
    if (lists.has(list)) return { path, text: `${start}.` };
    lists.add(list);
    return { path, text };
  });
}

/** `workflows.completes`, `denied[0]`. */
const dotted = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');

/** The parameters of an error; each keyword has its own. */
interface Params {
  readonly additionalProperty: string;
  readonly missingProperty: string;
  readonly allowedValues: readonly string[];
  readonly type: keyof typeof typeNames;
  readonly limit: number;
}

function mistakesIn(error: MistakenPart, known: readonly string[]): Iterable<Mistake> {
  const { keyword, data } = error;
  const params = error.params as unknown as Params;
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
  const name = dotted(path) || 'the file';
  const schema = error.parentSchema as Schema;
  const mistake = (text: string): Mistake[] => [{ path, text: `${name} ${text}` }];

  if (keyword === 'additionalProperties') return unknown([...path, params.additionalProperty], data, schema, known);
  if (keyword === 'required') return [{ path, text: `${dotted([...path, params.missingProperty])} is missing.` }];
  if (data === null) return mistake(`is empty: fill it in${path.length > 0 ? ', or take it out' : ''}.`);
  if (keyword === 'enum') return mistake(`has an unknown value; ${suggestion(String(data), params.allowedValues)}`);
  // The description of a pattern says what is expected.
  if (schema.pattern) return mistake(`must be ${schema.description}.`);
  if (keyword === 'type') return mistake(`must be ${typeNames[params.type]}.`);
  if (keyword === 'exclusiveMinimum') return mistake(`must be more than ${params.limit}.`);
  if (keyword === 'minimum') return mistake(`must be at least ${params.limit}.`);
  if (keyword === 'minLength' || keyword === 'minItems') return mistake('must not be empty.');
  if (keyword === 'uniqueItems') return mistake('lists an item twice.');
  return mistake(`${error.message}.`);
}

const typeNames = {
  object: 'a map',
  array: 'a list',
  string: 'text (in quotes, if it looks like a number)',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
} as const;

/** Reports an unknown name or, if it is a misspelled map, the unknown names in it. */
function* unknown(
  path: Path,
  around: unknown,
  { properties = {} }: Schema,
  known: readonly string[],
): Generator<Mistake> {
  const last = String(path.at(-1));
  const value = (around as Fields)[last];
  const beside = nearest(last, Object.keys(properties));
  const inside = properties[beside ?? '']?.properties;
  const strays = inside && isFields(value) ? Object.keys(value).filter((name) => !(name in inside)) : [];
  const mistake = (place: Path, meant: string | undefined): Mistake => ({
    path: place,
    text: `${dotted(place)} is unknown; ${meant ? `did you mean ${meant}?` : `use one of ${Object.keys(properties).join(', ')}.`}`,
  });
  const meant = strays.map((name) => elsewhere([...path, name], known));
  // If no name in the map is like a known one, the name of the map itself is wrong.
  if (meant.every((name) => name === undefined))
    yield mistake(path, beside ? dotted([...path.slice(0, -1), beside]) : elsewhere(path, known));
  else for (const [index, name] of strays.entries()) yield mistake([...path, name], meant[index]);
}

/** The known name that is most similar as a whole, or else in its last part. */
function elsewhere(path: Path, known: readonly string[]): string | undefined {
  const end = (name: string) => name.slice(name.lastIndexOf('.') + 1);
  const alike = nearest(end(dotted(path)), known.map(end));
  return nearest(dotted(path), known) ?? known.find((name) => end(name) === alike);
}

/** All dotted names in a schema, including its definitions. */
const names = (schema: Schema, prefix = '', root = schema): string[] =>
  Object.entries(propertiesOf(schema, root)).flatMap(([name, inner]) => [
    prefix + name,
    ...names(inner, `${prefix}${name}.`, root),
  ]);

/** The properties of a map. If it is one of two alternatives, those of that one. */
function propertiesOf({ $ref, then, properties = {} }: Schema, root: Schema): NonNullable<Schema['properties']> {
  const inner = $ref === undefined ? then : root.$defs?.[$ref.slice('#/$defs/'.length)];
  return inner ? propertiesOf(inner, root) : properties;
}
