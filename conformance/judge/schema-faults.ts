import type { SchemaError, Validator } from '../../generated/validators.js';
import { isFields } from '../evidence/read.js';
import { shown } from './words.js';

const most = 3;
/** They say that a branch failed; what failed in it is reported beside them. */
const structural = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not']);

/** What is wrong with a value, each with its place: `/status is "done", not one of queued, …`. Empty where nothing is. */
export function schemaFaults(validator: Validator<unknown>, value: unknown): string[] {
  if (validator(value)) return [];
  const missing = new Map<string, Set<unknown>>();
  const faults = new Set<string>();
  for (const error of schemaErrors(validator)) {
    const { keyword, instancePath, params } = error;
    if (keyword !== 'required') faults.add(inWords(error, value));
    else missing.set(instancePath, (missing.get(instancePath) ?? new Set()).add(params.missingProperty));
  }
  const all = [...[...missing].map(([path, fields]) => `${place(path)} lacks ${[...fields].join(', ')}`), ...faults];
  if (all.length === 0) return ['the body does not match its schema'];
  return all.length > most ? [...all.slice(0, most), `and ${all.length - most} more`] : all;
}

/** The errors of the validator's latest call, without those that only say that an alternative was not taken. */
export function schemaErrors({ errors }: Pick<Validator<unknown>, 'errors'>): SchemaError[] {
  const telling = (errors ?? []).filter(
    ({ keyword, schemaPath }) =>
      !structural.has(keyword) && !(keyword === 'required' && schemaPath.includes('/oneOf/')),
  );
  const wrong = new Set(
    telling.filter(({ keyword }) => keyword !== 'false schema').map(({ instancePath }) => instancePath),
  );
  return telling.filter(({ keyword, instancePath }) => keyword !== 'false schema' || !wrong.has(instancePath));
}

const place = (path: string) => (path === '' ? 'the body' : path);

function inWords({ keyword, instancePath, params, message }: SchemaError, root: unknown): string {
  const value = at(root, instancePath);
  return `${place(instancePath)} ${ends[keyword]?.(value, params) ?? `is ${shown(value)}: ${message}`}`;
}

type Ending = (value: unknown, params: Record<string, unknown>) => string;

const but =
  (what: string): Ending =>
  (value, params) =>
    `is ${shown(value)}, ${what.replace(/\$(\w+)/, (_, name: string) => [params[name]].flat().join(', '))}`;

const ends: Readonly<Record<string, Ending>> = {
  'false schema': but('and may not be there'),
  type: but('not of type $type'),
  format: but('not of format $format'),
  enum: but('not one of $allowedValues'),
  const: but('not $allowedValue'),
  minimum: but('below $limit'),
  maximum: but('above $limit'),
  minLength: but('shorter than $limit'),
  maxLength: but('longer than $limit'),
  minItems: but('shorter than $limit'),
};

/** The value at a JSON Pointer. */
const at = (root: unknown, path: string): unknown =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, key) => (isFields(value) || Array.isArray(value) ? (value as never)[key] : undefined),
      root,
    );
