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
    'nan-is-taken': [
      'NaN is taken for a number, as parsers of some languages do.',
      (base) => ({
        parseBody: (bytes) =>
          base.parseBody(
            Buffer.from(
              Buffer.from(bytes)
                .toString()
                .replace(/: NaN(?=[,}])/g, ': 0'),
            ),
          ),
      }),
    ],
    'malformed-json-is-nothing': [
      'Malformed JSON is taken for an empty body.',
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
    'lists-are-nothing': [
      'A body that is a list is taken for an empty one.',
      changing('parseBody', (body) => (Array.isArray(body) ? {} : body)),
      'update-body-is-typed',
    ],
    'ignores-metadata-lists': [
      'A start with metadata that is a list runs without it.',
      ignoring(pairsField, (value) => !Array.isArray(value)),
    ],
    'ignores-metadata-behind-its-first': [
      'A start with metadata with a first value that is a text, and others that are none, runs without it.',
      ignoring(pairsField, (value) => !isText(values(value)[0]) || values(value).every(isText)),
    ],
    'ignores-inputs-of-text': [
      'A start with inputs that are a text runs without it.',
      ignoring('inputs', (value) => !isText(value)),
    ],
    'ignores-inputs-in-lists': [
      'A start with inputs that are a list runs without it.',
      ignoring('inputs', (value) => !Array.isArray(value)),
    ],
    'ignores-head-of-text': [
      'A start with a head that is a text runs without it.',
      ignoring('head', (value) => !isText(value)),
    ],
    'ignores-version-of-text': [
      'A start with a version that is a text runs without it.',
      ignoring('version', (value) => !isText(value)),
    ],
    'ignores-version-of-digits': [
      'A start with a version that is a text of digits runs without it.',
      ignoring('version', (value) => !isText(value) || !/^\d+$/.test(value)),
    ],
    'ignores-version-fractions': [
      'A start with a version that is no integer runs without it.',
      ignoring('version', whole),
    ],
    'ignores-soft-timeout-fractions': [
      'A start with softTimeoutMins that is no integer runs without it.',
      ignoring('executionOptions', (value) => !isFields(value) || whole(value.softTimeoutMins)),
    ],
  }),
  ...breaking('update-body-is-typed', {
    'cookies-need-no-value': [
      'A cookie without its value is taken, as one of none.',
      changing('parseBody', (body) => {
        const cookies = isFields(body) ? body.cookiesToAdd : undefined;
        return isFields(body) && Array.isArray(cookies)
          ? { ...body, cookiesToAdd: cookies.map((one) => (isFields(one) ? { value: '', ...one } : one)) }
          : body;
      }),
    ],
    'updates-ignore-names-of-numbers': [
      'An update whose name is not of its type is taken without it.',
      ignoring('name', isText),
    ],
    'updates-ignore-extensions-behind-the-first': [
      'An update whose second extension is not of its type is taken without them.',
      ignoring('extensionIds', (value) => !uuids([value].flat().slice(0, 1)) || uuids(value)),
    ],
    'updates-ignore-cookies-behind-the-first': [
      'An update whose second cookie lacks its key is taken without any.',
      ignoring('cookiesToAdd', (value) => !haveKeys([value].flat().slice(0, 1)) || haveKeys(value)),
    ],
  }),
  ...rules
    .filter(({ id }: Rule) => id === 'other-bodies-are-typed')
    .flatMap(({ on }) => on)
    .map(
      (operation): Fault => ({
        id: `${operation}-takes-any-body`,
        breaks: ['other-bodies-are-typed'],
        says: `${operation} takes a body that its schema does not allow for the least that it may be asked.`,
        behaviour: puttingRight(operation),
      }),
    ),
  ...ofFlags([1], (flag) =>
    breaking('update-body-is-typed', {
      'updates-ignore-flags-of-numbers': [
        `An update whose ${flag} is not of its type is taken without it.`,
        ignoring(flag, (value) => typeof value !== 'number'),
      ],
    }),
  ).flat(),
];
