import type { SchemaError, Validator } from '../contract.js';
import { isFields } from '../outcome/read.js';
import type { Response } from '../vocabulary.js';
import { seen, shown } from './words.js';

/** They say that a branch failed; what failed in it is reported beside them. */
const structural = new Set(['anyOf', 'allOf', 'if', 'not']);
/** A value may break its schema in as many places as it has; by then it is another thing altogether. */
const most = 50;

/** One way in which a value breaks its schema. */
export interface SchemaFault {
  /** A JSON pointer, with a star for each index and each key that no schema names. */
  readonly where: string;
  /** What the schema demands there: a keyword of JSON Schema, in words where that is none. */
  readonly what: string;
  /** `/status is "done", not one of queued, …`: the first place of those that `where` stands for. */
  readonly says: string;
}

/** What is wrong with a value. Empty where nothing is. */
export function schemaFaults(validator: Validator, value: unknown): readonly SchemaFault[] {
  if (validator(value)) return [];
  const faults = new Map<string, SchemaFault>();
  const errors = schemaErrors(validator);
  for (const error of errors) {
    const fault = faultOf(error, value, errors);
    const name = `${fault.where} ${fault.what}`;
    if (!faults.has(name)) faults.set(name, fault);
    if (faults.size === most) break;
  }
  if (faults.size === 0) return [{ where: '', what: 'schema', says: 'the body does not match its schema' }];
  return [...faults.values()];
}

/** The fault of a body that is no JSON. */
export const noJson = (response: Response): SchemaFault => ({ where: '', what: 'JSON', says: seen(response) });

/** A value without the fields that are null and may be left out, and the places of these. */
export interface Pruned {
  readonly value: unknown;
  readonly nulls: readonly string[];
}

/** Leaves out what is null and optional: that null is no value of its type is implied, not stated. */
export function withoutNulls(validator: Validator, value: unknown): Pruned {
  const nulls: string[] = [];
  if (validator(value)) return { value, nulls };
  let pruned = value;
  const places = [...new Set(schemaErrors(validator).map(({ instancePath }) => instancePath))];
  for (const path of places.filter((one) => one !== '' && at(value, one) === null)) {
    const without = removed(pruned, path);
    const name = unescaped(path.slice(path.lastIndexOf('/') + 1));
    const isRequired =
      !validator(without) &&
      (validator.errors ?? []).some(
        ({ keyword, instancePath, params }) =>
          keyword === 'required' &&
          `${instancePath}/` === path.slice(0, path.lastIndexOf('/') + 1) &&
          params.missingProperty === name,
      );
    if (isRequired) continue;
    pruned = without;
    nulls.push(path);
  }
  return { value: pruned, nulls };
}

/** A copy without the field at a JSON Pointer; items of lists stay. */
function removed(value: unknown, path: string): unknown {
  const [, step = '', ...rest] = path.split('/');
  const key = unescaped(step);
  if (Array.isArray(value))
    return rest.length === 0
      ? value
      : value.map((item, index) => (String(index) === key ? removed(item, `/${rest.join('/')}`) : item));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      if (name !== key) return [[name, one]];
      return rest.length === 0 ? [] : [[name, removed(one, `/${rest.join('/')}`)]];
    }),
  );
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** The errors of the validator's latest call, without those that only say that an alternative was not taken. */
export function schemaErrors({ errors }: Pick<Validator, 'errors'>): SchemaError[] {
  const telling = (errors ?? []).filter(({ keyword }) => !structural.has(keyword));
  const wrong = new Set(
    telling.filter(({ keyword }) => keyword !== 'false schema').map(({ instancePath }) => instancePath),
  );
  return telling.filter(({ keyword, instancePath }) => keyword !== 'false schema' || !wrong.has(instancePath));
}

const words: Readonly<Record<string, string>> = { required: 'missing', 'false schema': 'not allowed' };

function faultOf(error: SchemaError, value: unknown, errors: readonly SchemaError[]): SchemaFault {
  const { keyword, instancePath, schemaPath, params } = error;
  const isMissing = keyword === 'required';
  const named = schemaPath.includes('/additionalProperties/') ? instancePath.replace(/[^/]*$/, '*') : instancePath;
  return {
    where: named.replaceAll(/\/\d+(?=\/|$)/g, '/*') + (isMissing ? `/${params.missingProperty}` : ''),
    what: words[keyword] ?? keyword,
    says: isMissing
      ? `${place(instancePath)} lacks ${params.missingProperty}`
      : inWords(error, value) + besideWhat(error, errors),
  };
}

/** The alternatives in which a field is the one that has to go; undefined where it has to go anyway. */
const alternatives = ({ keyword, schemaPath }: SchemaError): string | undefined =>
  keyword === 'false schema' ? /^(.*\/anyOf)\/\d+\/properties\/[^/]+\/false schema$/.exec(schemaPath)?.[1] : undefined;

/** Of two that exclude each other, the other one. */
function besideWhat(error: SchemaError, errors: readonly SchemaError[]): string {
  const of = alternatives(error);
  if (of === undefined) return '';
  const other = errors.find((one) => one !== error && alternatives(one) === of);
  return other ? ` beside ${other.instancePath}` : '';
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
    .map(unescaped)
    .reduce<unknown>(
      (value, key) => (isFields(value) || Array.isArray(value) ? (value as never)[key] : undefined),
      root,
    );
