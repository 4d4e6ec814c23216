import type { SchemaError, Validator } from '../../generated/validators.js';
import { isFields } from '../evidence/read.js';
import { shown } from './words.js';

const most = 3;
/** They say that a branch failed; what failed in it is reported beside them. */
const structural = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not']);

/** What is wrong with a value, each with its place: `/status is "done", not one of queued, …`. Empty where nothing is. */
export function schemaFaults(validator: Validator<unknown>, value: unknown): string[] {
  if (validator(value)) return [];
  const errors = schemaErrors(validator);
  const lacks = (path: string) =>
    errors.filter(({ keyword, instancePath }) => keyword === 'required' && instancePath === path);
  const faults = new Set(
    errors.map((error) =>
      error.keyword === 'required'
        ? `${place(error.instancePath)} lacks ${lacks(error.instancePath)
            .map(({ params }) => params.missingProperty)
            .join(', ')}`
        : inWords(error, value),
    ),
  );
  const [...all] = faults.size > 0 ? faults : ['the body does not match its schema'];
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

const not =
  (what: string): Ending =>
  (value, params) =>
    `is ${shown(value)}, not ${what.replace(/\$(\w+)/, (_, name: string) => [params[name]].flat().join(', '))}`;

const ends: Readonly<Record<string, Ending>> = {
  'false schema': (value) => `is ${shown(value)}, and may not be there`,
  type: not('of type $type'),
  format: not('of format $format'),
  enum: not('one of $allowedValues'),
  const: not('$allowedValue'),
  minimum: not('$limit or more'),
  maximum: not('$limit or less'),
  minLength: not('$limit characters or longer'),
  maxLength: not('$limit characters or shorter'),
  minItems: not('a list of $limit or more'),
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
