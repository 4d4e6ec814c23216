/** Faults by which values of a wrong type are accepted. */

import { type Operation, type OperationId, operations } from '../../../generated/operations.js';
import { type Rule, rules } from '../../../generated/rules.js';
import { samples } from '../../../generated/samples.js';
import { changing, ignoring, isFields, pairsField } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';
import { ofFlags } from '../../flags.js';

const isText = (value: unknown): value is string => typeof value === 'string';
const isUuid = (value: unknown) => isText(value) && /^[\da-f-]{36}$/i.test(value);
const whole = (value: unknown) => typeof value !== 'number' || Number.isInteger(value);
const values = (value: unknown): readonly unknown[] => (isFields(value) ? Object.values(value) : []);

const haveKeys = (value: unknown) => Array.isArray(value) && value.every((item) => isFields(item) && 'key' in item);
const uuids = (value: unknown) => Array.isArray(value) && value.every(isUuid);

/** Takes a wrong body of an operation for a right one. */
const puttingRight = (operation: OperationId): Fault['behaviour'] =>
  changing('violations', (found, asked, body) => {
    const { requestSchema }: Operation = operations[operation];
    if (asked !== operation || found.length === 0 || !isFields(body) || requestSchema === null) return found;
    for (const field of Object.keys(body)) Reflect.deleteProperty(body, field);
    Object.assign(body, samples[requestSchema].minimal);
    return [];
  });

export const bodyFaults: readonly Fault[] = [
  ...breaking('execute-body-is-typed', {
    'nan-is-taken': (base) => ({
      parseBody: (bytes) =>
        base.parseBody(
          Buffer.from(
            Buffer.from(bytes)
              .toString()
              .replace(/: NaN(?=[,}])/g, ': 0'),
          ),
        ),
    }),
    'malformed-json-is-nothing': [
      (base) => ({
        parseBody: (bytes) => {
          try {
            return base.parseBody(bytes);
          } catch {
            return {};
          }
        },
      }),
      'update-body-is-typed',
    ],
    'lists-are-nothing': [changing('parseBody', (body) => (Array.isArray(body) ? {} : body)), 'update-body-is-typed'],
    'ignores-metadata-lists': ignoring(pairsField, (value) => !Array.isArray(value)),
    'ignores-metadata-behind-its-first': ignoring(
      pairsField,
      (value) => !isText(values(value)[0]) || values(value).every(isText),
    ),
    'ignores-inputs-of-text': ignoring('inputs', (value) => !isText(value)),
    'ignores-inputs-in-lists': ignoring('inputs', (value) => !Array.isArray(value)),
    'ignores-head-of-text': ignoring('head', (value) => !isText(value)),
    'ignores-version-of-text': ignoring('version', (value) => !isText(value)),
    'ignores-version-of-digits': ignoring('version', (value) => !isText(value) || !/^\d+$/.test(value)),
    'ignores-version-fractions': ignoring('version', whole),
    'ignores-soft-timeout-fractions': ignoring(
      'executionOptions',
      (value) => !isFields(value) || whole(value.softTimeoutMins),
    ),
  }),
  ...breaking('update-body-is-typed', {
    ...ofFlags([1], (flag) => ({
      'updates-ignore-flags-of-numbers': ignoring(flag, (value) => typeof value !== 'number'),
    })),
    'cookies-need-no-value': changing('parseBody', (body) => {
      const cookies = isFields(body) ? body.cookiesToAdd : undefined;
      return isFields(body) && Array.isArray(cookies)
        ? { ...body, cookiesToAdd: cookies.map((one) => (isFields(one) ? { value: '', ...one } : one)) }
        : body;
    }),
    'updates-ignore-names-of-numbers': ignoring('name', isText),
    'updates-ignore-extensions-behind-the-first': ignoring(
      'extensionIds',
      (value) => !uuids([value].flat().slice(0, 1)) || uuids(value),
    ),
    'updates-ignore-cookies-behind-the-first': ignoring(
      'cookiesToAdd',
      (value) => !haveKeys([value].flat().slice(0, 1)) || haveKeys(value),
    ),
  }),
  ...rules
    .filter(({ id }: Rule) => id === 'other-bodies-are-typed')
    .flatMap(({ on }) => on)
    .map(
      (operation): Fault => ({
        id: `${operation}-takes-any-body`,
        breaks: ['other-bodies-are-typed'],
        behaviour: puttingRight(operation),
      }),
    ),
];
