/** Request bodies with one thing wrong, which must be refused. Null is not among them: the interface leaves it open. */

import type { OperationId } from '../../generated/operations.js';
import { type Rule, type RuleId, rules } from '../../generated/rules.js';
import { requests } from '../../generated/validators.js';
import { memoizeText } from '../engine/memoize.js';
import { isCopyRequest, isFields } from '../engine/outcome/read.js';
import { byKey, equal } from '../engine/rule/values.js';
import type { Material } from '../engine/scenario/material.js';
import type { Field, Schema, Schemas, Variant } from '../engine/schemas.js';
import { updatesProfile } from './operations.js';
import { schemas } from './schemas.js';

interface InvalidBody {
  /** Path of the wrong field: "cookiesToAdd.0.domain". */
  readonly field: string;
  readonly rule: RuleId;
  /** Description: "timeoutSeconds 26". */
  readonly fault: string;
  readonly body: Record<string, unknown>;
  /** Sent in each run, because many services get it wrong. Of the others, some are picked. */
  readonly isOftenAccepted: boolean;
}

const ofOtherTypes: Readonly<Record<string, readonly unknown[]>> = {
  string: [5, true, {}, ['text']],
  number: ['5', true, {}, [5]],
  integer: ['5', 1.5, true, {}, [5]],
  boolean: ['true', 1, 0, {}, [true]],
  array: ['text', 5, {}],
  object: ['text', 5, ['text'], true],
};

const malformed: Readonly<Record<string, readonly string[]>> = {
  uuid: [
    'not-a-uuid',
    '00000000-0000-4000-8000-00000000000',
    '00000000-0000-4000-8000-0000000000000',
    'g0000000-0000-4000-8000-000000000000',
  ],
  'date-time': ['yesterday', '2026-02-30T00:00:00Z', '2026-01-01'],
};

/** Nearly right: a day that no month has, a word in other case, one more or one less than is allowed, null in a map. */
const telling: Readonly<Record<string, readonly unknown[]>> = { 'date-time': ['2026-02-30T00:00:00Z'], uuid: [''] };

function tellingValues(schema: Schema, all: Schemas<string>): unknown[] {
  return all.variants(schema).flatMap((variant) => {
    const { format = '', enum: values = [], minimum, additionalProperties } = variant;
    const [first] = values;
    return [
      ...(telling[format] ?? []),
      ...(first === undefined ? [] : [`${first}s`, String(first).toUpperCase(), ` ${first}`]),
      ...(minimum === undefined ? [] : [minimum - 1, minimum - 2]),
      ...(typeof additionalProperties === 'object' ? [{ key: null }] : []),
      ...beyond(variant, all),
    ];
  });
}

/** One more than an alternative of a schema allows. */
const beyond = (
  { maximum, maxLength, maxItems, items, additionalProperties }: Variant,
  all: Schemas<string>,
): unknown[] => [
  ...(maximum === undefined ? [] : [maximum + 1]),
  ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ...(maxItems === undefined
    ? []
    : [Array.from({ length: maxItems + 1 }, (_, place) => anotherItem(all.sample(items ?? {}), place))]),
  ...(typeof additionalProperties === 'object'
    ? all.variants(additionalProperties).flatMap((one) => beyond(one, all).map((value) => ({ key: value })))
    : []),
];

/** Values that an alternative of a schema does not allow; another one may. Exported for tests. */
export const invalidValues = (schema: Schema, all: Schemas<string> = schemas): unknown[] =>
  all.variants(schema).flatMap((variant) => invalidIn(variant, all));

function invalidIn(variant: Variant, all: Schemas<string>): unknown[] {
  const {
    type = 'object',
    format = '',
    enum: values = [],
    minimum,
    maximum,
    minLength = 0,
    maxLength,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf,
    pattern,
    minItems = 0,
    uniqueItems,
    items,
    additionalProperties,
  } = variant;
  const another = (place: number) => anotherItem(all.sample(items ?? {}), place);
  return [
    ...(ofOtherTypes[type] ?? []),
    ...(malformed[format] ?? []),
    ...values.flatMap((value) => [`${value}s`, String(value).toUpperCase(), ` ${value}`]),
    ...(minimum === undefined ? [] : [minimum - 1, -minimum, Number.MIN_SAFE_INTEGER]),
    ...beyond(variant, all),
    ...(maximum === undefined ? [] : [Number.MAX_SAFE_INTEGER]),
    ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['ä'.repeat(maxLength + 1)]),
    ...[exclusiveMinimum, exclusiveMaximum].flatMap((bound) => bound ?? []),
    ...(multipleOf === undefined
      ? []
      : [multipleOf + multipleOf / 2, multipleOf + 1].filter((one) => one % multipleOf !== 0)),
    ...(pattern === undefined ? [] : unlike.filter((text) => !new RegExp(pattern, 'u').test(text))),
    ...(minItems > 0 ? [[]] : []),
    ...(uniqueItems ? [[another(1), another(1)]] : []),
    ...(typeof additionalProperties === 'object'
      ? invalidValues(additionalProperties, all).map((value) => ({ key: value }))
      : []),
  ];
}

/** Texts that match hardly any pattern. */
const unlike = ['', ' ', '!', 'ä', '-', '0', 'A', 'a', 'x'.repeat(300)];

/** Makes items different, if they are texts. */
const anotherItem = (one: unknown, place: number): unknown =>
  typeof one === 'string' ? one.slice(0, one.length - `${place}`.length) + place : one;

/** The rule that is violated if a wrong value of the field is accepted. */
function ruleOf(operation: OperationId, field: Field, value: unknown): RuleId {
  const name = field.path.at(-1);
  if (rules.some(({ id, on }: Rule) => id === 'other-bodies-are-typed' && on.includes(operation)))
    return 'other-bodies-are-typed';
  if (name === 'timeoutSeconds') return Number.isInteger(value) ? 'sync-timeout-range' : 'sync-timeout-is-integer';
  if (name === 'softTimeoutMins' && Number.isInteger(value)) return 'soft-timeout-minimum';
  if (isCopyRequest({ operation })) return 'duplicate-into-unknown-organization';
  if (!updatesProfile({ operation })) return 'execute-body-is-typed';
  if (field.path.length === 1 && name === 'name' && typeof value === 'string') return 'profile-name-length';
  if (field.path.length === 1 && name === 'description' && typeof value === 'string')
    return 'profile-description-length';
  return 'update-body-is-typed';
}

const shown = (value: unknown) => {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
};

/**
 * Whether a service must read the field. It may ignore an id or time of a new cookie (gap cookie-id-sent), and the
 * fields of a custom proxy are not shown (gap custom-proxy-request).
 */
const isReadAsSent = ({ path, required }: Field): boolean =>
  path[0] !== 'customProxy' && (required || path[1] !== 0 || !['id', 'createdAt'].includes(String(path[2])));

/** A body with one wrong value, or without a field that it must have. */
interface WrongBody {
  readonly field: Field;
  /** Undefined: left out. */
  readonly value: unknown;
  readonly body: Record<string, unknown>;
  readonly isOftenAccepted: boolean;
}

/** Each field with each wrong value, and without each required field. Of alternatives, none allows the body. */
export const wrongBodies = (
  operation: string,
  isValid: (body: unknown) => boolean,
  all: Schemas<string> = schemas,
): WrongBody[] => {
  const found = all.requestFields(operation).flatMap((field) => {
    const first = tellingValues(field.schema, all);
    const wrong = (value: unknown, isOftenAccepted: boolean): WrongBody[] => {
      const body = field.body(value);
      return isFields(body) && !isValid(body) ? [{ field, value, body, isOftenAccepted }] : [];
    };
    const rest = invalidValues(field.schema, all).filter((value) => !first.some((one) => equal(one, value)));
    return [
      ...(field.required ? wrong(undefined, false) : []),
      ...first.flatMap((value) => wrong(value, true)),
      ...rest.flatMap((value) => wrong(value, false)),
    ];
  });
  // Of two alternatives, the same may be wrong.
  return [...byKey(found, ({ field, body }) => JSON.stringify([field.path, body])).values()].flatMap(
    ([first]) => first ?? [],
  );
};

/** Whether the contract allows a body: what is written by hand may be right one day. */
export const isAllowed = (operation: keyof typeof requests, body: unknown): boolean =>
  requests[operation](JSON.parse(JSON.stringify(body)));

/** The wrong bodies of an operation. */
export const invalidBodies = memoizeText(invalidOf);

function invalidOf(operation: OperationId): InvalidBody[] {
  const isValid: ((body: unknown) => boolean) | undefined = requests[operation as keyof typeof requests];
  if (!isValid) return [];
  return wrongBodies(operation, isValid).flatMap(({ field, value, body, isOftenAccepted }) => {
    const name = field.path.join('.');
    return isReadAsSent(field)
      ? {
          field: name,
          rule: ruleOf(operation, field, value),
          fault: value === undefined ? `no ${name}` : `${name} ${shown(value)}`,
          body,
          isOftenAccepted,
        }
      : [];
  });
}

/** Of each field, the most telling wrong bodies, and one more. */
export function someOfEach(operation: OperationId, material: Material): InvalidBody[] {
  return [...byKey(invalidBodies(operation), ({ field }) => field).values()].flatMap((own) => {
    const rest = own.filter(({ isOftenAccepted }) => !isOftenAccepted);
    return [...own.filter(({ isOftenAccepted }) => isOftenAccepted), ...(rest.length > 0 ? [material.pick(rest)] : [])];
  });
}
