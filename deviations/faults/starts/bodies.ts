/** Faults by which values of a wrong type are accepted. */

import { idSettings, words } from '../../../generated/flags.js';
import { type Operation, type OperationId, operations } from '../../../generated/operations.js';
import { type Rule, rules } from '../../../generated/rules.js';
import { samples } from '../../../generated/samples.js';
import type { AgentProfileUpdate } from '../../../generated/types.js';
import { changing, ignoring, isFields, pairsField, roomField } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';
import { ofFlags } from '../../flags.js';

const isText = (value: unknown): value is string => typeof value === 'string';
const isUuid = (value: unknown) => isText(value) && /^[\da-f-]{36}$/i.test(value);
const whole = (value: unknown) => typeof value !== 'number' || Number.isInteger(value);
const values = (value: unknown): readonly unknown[] => (isFields(value) ? Object.values(value) : []);

/** Whether a value is a list whose items all have these fields. */
const having =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every((item) => isFields(item) && names.every((name) => name in item));

/** Fields of starts that are ignored if they are of a wrong type. */
const starts: readonly (readonly [slug: string, says: string, behaviour: Fault['behaviour']])[] = [
  [
    'metadata-of-numbers',
    'metadata with a value that is a number',
    ignoring(pairsField, (value) => !isFields(value) || values(value).every(isText)),
  ],
  ['metadata-lists', 'metadata that is a list', ignoring(pairsField, (value) => !Array.isArray(value))],
  ['inputs-of-text', 'inputs that are a text', ignoring('inputs', (value) => !isText(value))],
  ['head-of-text', 'a head that is a text', ignoring('head', (value) => !isText(value))],
  ['version-of-text', 'a version that is a text', ignoring('version', (value) => !isText(value))],
  ['profile-id-of-any-kind', 'a profileId that is no uuid', ignoring('profileId', isUuid)],
  ['profile-group-id-of-any-kind', 'a profileGroupId that is no uuid', ignoring('profileGroupId', isUuid)],
  [
    'capacity-words',
    'an onCapacityLimit of another word',
    ignoring(roomField, (value) => value === 'reject' || value === 'queue'),
  ],
  ['options-of-text', 'executionOptions that are a text', ignoring('executionOptions', isFields)],
  [
    'soft-timeouts-of-text',
    'softTimeoutMins that is a text',
    ignoring('executionOptions', (value) => !isFields(value) || !isText(value.softTimeoutMins)),
  ],
  [
    'soft-timeout-fractions',
    'softTimeoutMins that is no integer',
    ignoring('executionOptions', (value) => !isFields(value) || whole(value.softTimeoutMins)),
  ],
  ['version-fractions', 'a version that is no integer', ignoring('version', whole)],
  ['temp-files-in-no-list', 'tempFiles that are no list', ignoring('tempFiles', Array.isArray)],
  ['old-inputs-of-text', 'dynamicData that is a text', ignoring('dynamicData', isFields)],
  ['old-profile-ids-of-any-kind', 'an agentProfileId that is no uuid', ignoring('agentProfileId', isUuid)],
  ['old-group-ids-of-any-kind', 'an agentProfilePoolId that is no uuid', ignoring('agentProfilePoolId', isUuid)],
  ['temp-files-without-a-name', 'a temp file without a name', ignoring('tempFiles', having('id', 'name'))],
  ['temp-files-without-an-id', 'a temp file without an id', ignoring('tempFiles', having('id'))],
  [
    'metadata-behind-its-first',
    'metadata with a first value that is a text, and others that are none',
    ignoring(pairsField, (value) => !isText(values(value)[0]) || values(value).every(isText)),
  ],
  ['inputs-in-lists', 'inputs that are a list', ignoring('inputs', (value) => !Array.isArray(value))],
  ['head-of-numbers', 'a head that is a number', ignoring('head', (value) => typeof value !== 'number')],
  [
    'version-of-digits',
    'a version that is a text of digits',
    ignoring('version', (value) => !/^\d+$/.test(isText(value) ? `${value}` : '')),
  ],
];

/** Bodies of this kind are treated as empty. */
const emptied = (is: (body: unknown) => boolean): Fault['behaviour'] =>
  changing('parseBody', (body) => (is(body) ? {} : body));

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

/** Updates ignore a field if it is of a wrong type. */
const ignores = (
  slug: string,
  field: keyof AgentProfileUpdate,
  is: (value: unknown) => boolean,
  ...also: Fault['breaks'][number][]
): Fault => ({
  id: `updates-ignore-${slug}`,
  breaks: ['update-body-is-typed', ...also],
  says: `An update whose ${field} is not of its type is taken without it.`,
  behaviour: ignoring(field, is),
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
    'metadata-of-numbers-where-names-exclude': [
      'A start takes numbers in metadata, and is refused with inputs together with dynamicData.',
      (base) => ({
        violations: (operation, body) => {
          if (isFields(body) && isFields(body.inputs) && isFields(body.dynamicData))
            return [{ kind: 'exclusivity', parameter: 'dynamicData', detail: 'cannot be given with inputs' }];
          return base.violations(operation, body).filter(({ parameter }) => !parameter.startsWith(pairsField));
        },
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
      emptied(Array.isArray),
      'update-body-is-typed',
    ],
  }),
  ...starts.map(
    ([slug, says, behaviour]): Fault => ({
      id: `ignores-${slug}`,
      breaks: ['execute-body-is-typed'],
      says: `A start with ${says} runs without it.`,
      behaviour,
    }),
  ),
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
  ignores('names-of-numbers', 'name', isText),
  ignores('descriptions-of-numbers', 'description', isText),
  ...ofFlags([1], (flag): Fault => ignores('flags-of-words', flag, (value) => typeof value === 'boolean')),
  ignores('extensions-of-any-kind', 'extensionIds', uuids),
  ignores('extensions-behind-the-first', 'extensionIds', (value) => !uuids([value].flat().slice(0, 1)) || uuids(value)),
  ...words.map(({ field, word }) => ignores('proxy-types-of-any-kind', field, (value) => value === word)),
  ...idSettings.map((field) => ignores('presets-of-any-kind', field, isUuid)),
  ignores('prefixes-of-numbers', 'inboxEmailPrefix', isText),
  ignores('cookies-in-no-list', 'cookiesToAdd', Array.isArray),
  ignores('nameless-credentials', 'credentialsToUpdate', having('name')),
  ignores('incomplete-cookies', 'cookiesToAdd', having('domain')),
  ignores('cookies-without-a-key', 'cookiesToAdd', having('key')),
  ignores(
    'cookies-behind-the-first',
    'cookiesToAdd',
    (value) => !having('key')([value].flat().slice(0, 1)) || having('key')(value),
  ),
  ignores(
    'cookies-with-words-for-flags',
    'cookiesToAdd',
    (value) =>
      !Array.isArray(value) ||
      value.every((item) => !isFields(item) || ['boolean', 'undefined'].includes(typeof item.httpOnly)),
  ),
  ignores('cookie-ids-of-any-kind', 'cookiesToDelete', uuids),
  ignores('incomplete-credentials', 'credentialsToAdd', having('data')),
  ignores('credentials-without-a-name', 'credentialsToAdd', having('name')),
  ...ofFlags([1], (flag): Fault => ignores('flags-of-numbers', flag, (value) => typeof value !== 'number')),
  ignores('credential-ids-of-any-kind', 'credentialsToDelete', uuids),
];
