import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Fields, isFields } from '../evidence/read.js';
import type { Mistake, Path } from './file.js';
import { nearest, wayOut } from './nearest.js';

/** What of JSON Schema the files that users write are described with. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

/** Every way in which a value breaks a schema, in words that tell the way out. Shows no value: it may be a secret. */
export function mistakes(value: unknown, schema: Schema): Mistake[] {
  const validate = new Ajv2020({ allErrors: true, verbose: true }).compile(schema);
  validate(value);
  return (validate.errors ?? []).flatMap((error) => told(error, names(schema)));
}

/** `workflows.completes`, `denied[0]`. */
export const dotted = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');

function told(error: ErrorObject, known: readonly string[]): Mistake[] {
  const { keyword, params, data } = error;
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
  const name = dotted(path) || 'the file';
  const schema = error.parentSchema as Schema;
  const mistake = (text: string): Mistake[] => [{ path, text: `${name} ${text}` }];

  if (keyword === 'additionalProperties') return unknown([...path, params.additionalProperty], data, schema, known);
  if (keyword === 'required') return [{ path, text: `${dotted([...path, params.missingProperty])} is missing.` }];
  if (data === null) return mistake('is empty: fill it in, or take it out.');
  if (keyword === 'enum') return mistake(`has no such value; ${wayOut(String(data), params.allowedValues)}`);
  // A pattern's description says what it stands for.
  if (schema.pattern) return mistake(`must be ${schema.description}.`);
  if (keyword === 'type') return mistake(`must be ${typeNames[params.type as keyof typeof typeNames]}.`);
  if (keyword === 'exclusiveMinimum') return mistake(`must be more than ${params.limit}.`);
  if (keyword === 'minimum') return mistake(`must be at least ${params.limit}.`);
  if (keyword === 'minLength' || keyword === 'minItems') return mistake('must not be empty.');
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

/** A name that does not exist. Of a map under a misspelled name, the names in it that do not exist either. */
function unknown(path: Path, around: unknown, { properties = {} }: Schema, known: readonly string[]): Mistake[] {
  const [last, value] = [String(path.at(-1)), (around as Fields)[String(path.at(-1))]];
  const meant = properties[nearest(last, Object.keys(properties)) ?? '']?.properties;
  const strays = meant && isFields(value) ? Object.keys(value).filter((inner) => !(inner in meant)) : [];
  return (strays.length > 0 ? strays.map((stray) => [...path, stray]) : [path]).map((place) => ({
    path: place,
    text: `${dotted(place)} is unknown; ${suggestion(dotted(place), known, Object.keys(properties))}`,
  }));
}

function suggestion(name: string, known: readonly string[], siblings: readonly string[]): string {
  const end = (dots: string) => dots.slice(dots.lastIndexOf('.') + 1);
  const moved = nearest(end(name), known.map(end));
  const meant = nearest(name, known) ?? known.find((candidate) => end(candidate) === moved);
  return meant ? `did you mean ${meant}?` : `there is ${siblings.join(', ')}.`;
}

/** The dotted names of all that a schema describes. */
function names({ properties = {} }: Schema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, inner]) => [prefix + name, ...names(inner, `${prefix}${name}.`)]);
}
