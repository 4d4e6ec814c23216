/** Turns schema errors into faults for reports and signatures. */
import type { SchemaError, Validator } from '../contract.js';
import { isFields } from '../outcome/read.js';
import type { Response, SchemaFault } from '../vocabulary.js';
import { jsonText, textOfResponse } from './values.js';

/** Keywords that only report that a branch failed. The errors in the branch are reported separately. */
const structural = new Set(['anyOf', 'allOf', 'if', 'not']);
/** A limit: a value with more faults than this is something else altogether. */
const most = 50;

/** The faults of a value; empty if it is valid. */
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

export const noJson = (response: Response): SchemaFault => ({
  where: '',
  what: 'JSON',
  says: textOfResponse(response),
});

/** A value without its optional null fields, and where these were. */
export interface Pruned {
  readonly value: unknown;
  readonly nulls: readonly string[];
}

/** Removes optional fields that are null. That null is no value of its type is implied, not stated. */
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

/** A copy without the field at a JSON pointer. Items of lists are not removed. */
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

/** The errors of the validator's latest call, without those that only report a failed alternative. */
function schemaErrors({ errors }: Pick<Validator, 'errors'>): SchemaError[] {
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

/** The `anyOf` in which a field is forbidden by one branch; undefined if the error is another. */
const alternatives = ({ keyword, schemaPath }: SchemaError): string | undefined =>
  keyword === 'false schema' ? /^(.*\/anyOf)\/\d+\/properties\/[^/]+\/false schema$/.exec(schemaPath)?.[1] : undefined;

/** The other one of two mutually exclusive fields. */
function besideWhat(error: SchemaError, errors: readonly SchemaError[]): string {
  const of = alternatives(error);
  if (of === undefined) return '';
  const other = errors.find((one) => one !== error && alternatives(one) === of);
  return other ? ` beside ${other.instancePath}` : '';
}

const place = (path: string) => (path === '' ? 'the body' : path);

function inWords({ keyword, instancePath, params, message }: SchemaError, root: unknown): string {
  const value = at(root, instancePath);
  return `${place(instancePath)} ${ends[keyword]?.(value, params) ?? `is ${jsonText(value)}: ${message}`}`;
}

type Ending = (value: unknown, params: Record<string, unknown>) => string;

const but =
  (what: string): Ending =>
  (value, params) =>
    `is ${jsonText(value)}, ${what.replace(/\$(\w+)/, (_, name: string) => [params[name]].flat().join(', '))}`;

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

const at = (root: unknown, path: string): unknown =>
  path
    .split('/')
    .slice(1)
    .map(unescaped)
    .reduce<unknown>(
      (value, key) => (isFields(value) || Array.isArray(value) ? (value as never)[key] : undefined),
      root,
    );
