/** Unusual forms of all answers, and of error bodies. */

import { isUuid } from '../../common/values.js';
import { pathPrefix } from '../../generated/sends.js';
import { Refusal } from '../../reference/errors.js';
import { answering, changing, explaining, isFields, isRefusal, refusing, restated, type Way } from '../change.js';
import { behaving, type Variation } from '../variation.js';
import { everywhere } from './everywhere.js';

const type = (value: string) => ({ 'Content-Type': value });

/** Serialises bodies differently, with the same meaning. */
const written = (id: string, says: string, change: (text: string) => string): Variation => ({
  id,
  says,
  behaviour: changing('serialise', (text) => (text === null ? null : change(text))),
});

/** Changes every other answer. */
const everyOther =
  (way: Way): Way =>
  (base) => {
    let even = false;
    const { answer: changed = base.answer } = way(base);
    return {
      answer: (...args) => {
        even = !even;
        return (even ? changed : base.answer)(...args);
      },
    };
  };

export const errorVariations: readonly Variation[] = [
  ...behaving({
    'ids-in-capitals': [
      'Ids are shown in capitals.',
      everywhere((value) => (isUuid(value) ? value.toUpperCase() : value)),
    ],
    'more-fields': [
      'Every object in an answer has a field that the contract does not name.',
      everywhere((value) => (isFields(value) ? { ...value, _links: { self: null } } : value)),
    ],
    'problem-type': [
      'Refusals are application/problem+json.',
      answering((answer) => (isRefusal(answer) ? { ...answer, headers: type('application/problem+json') } : answer)),
    ],
    charset: [
      'Content-Type names a charset.',
      answering((answer) => ({
        ...answer,
        headers: { ...answer.headers, ...type('application/json;charset=UTF-8') },
      })),
    ],
    'text-json': [
      'Content-Type is text/json.',
      answering((answer) => ({ ...answer, headers: { ...answer.headers, ...type('text/json') } })),
    ],
    'plain-ascii': [
      'JSON is indented, and escapes what is not ASCII.',
      () => ({
        serialise: (_, { body }) =>
          body === undefined
            ? null
            : JSON.stringify(body, null, 4).replace(
                /[^ -~\n]/g,
                (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
              ),
      }),
    ],
  }),
  written('decimal-integers', 'Integers are written with a point: 404.0.', (text) =>
    text.replace(/:(-?\d+)(?=[,}])/g, ':$1.0'),
  ),
  written('members-twice', 'The first member of an object is written twice.', (text) =>
    text.replace(/^\{("\w+":(?:"[^"\\]*"|\d+)),/, '{$1,$1,'),
  ),
  written('names-of-prototypes', 'Every body has members that are called as those of all objects are.', (text) =>
    text.replace(/^\{(?=")/, '{"__proto__":{"code":1},"constructor":"x","toString":1,'),
  ),
  ...behaving({
    'fields-the-other-way-round': [
      'Fields come in the opposite order.',
      everywhere((value) => (isFields(value) ? Object.fromEntries(Object.entries(value).reverse()) : value)),
    ],
    'talkative-errors': [
      'Every error body has what either of the two may have, and more.',
      answering((answer) =>
        isRefusal(answer) && isFields(answer.body)
          ? {
              ...answer,
              body: {
                errors: [],
                detail: answer.body.message,
                status: answer.status,
                title: 'Refused',
                type: 'urn:problem:refused',
                timestamp: '2026-01-01T00:00:00Z',
                error: { reason: 'refused', causes: [] },
                ...answer.body,
              },
            }
          : answer,
      ),
    ],
    'instances-in-capitals': [
      'The path that an error tells has its id in capitals, and a slash at its end.',
      explaining('Standard', (error) =>
        typeof error.instance === 'string'
          ? { ...error, instance: `${error.instance.replace(/[\da-f-]{36}/g, (id) => id.toUpperCase())}/` }
          : error,
      ),
    ],
    'codes-below-zero': [
      'Codes of standard errors are numbers below zero.',
      explaining('Standard', (error, status) => ({ ...error, code: -status })),
    ],
    'talkative-headers': [
      'Every answer tells when to come back, what it links to, and that it will be gone.',
      answering((answer) => ({
        ...answer,
        headers: {
          ...answer.headers,
          'Retry-After': '30',
          Location: `${pathPrefix}/elsewhere`,
          Link: `<${pathPrefix}>; rel="next"`,
          ETag: 'W/"1"',
          Age: '7',
          Sunset: 'Sat, 31 Dec 2033 23:59:59 GMT',
          'Set-Cookie': 'session=1; HttpOnly',
        },
      })),
    ],
    'unknown-things-are-forbidden': [
      'A key may not use what does not exist: nobody learns what there is.',
      answering((answer, { operation }) =>
        answer.status === 404 && operation !== 'listExecutionFiles' ? restated(answer, 403) : answer,
      ),
      { warns: ['unknown-execution-is-404', 'unknown-profile-is-404', 'unknown-pool-is-404'] },
    ],
    'missing-listings-are-explained-in-a-text': [
      'The listing of an execution that does not exist is answered with the JSON text "Execution not found".',
      answering((answer, { operation }) =>
        answer.status === 404 && operation === 'listExecutionFiles'
          ? { ...answer, body: 'Execution not found' }
          : answer,
      ),
      { warns: ['files-error-shape'] },
    ],
    'foreign-words': [
      'Refusals are explained in Japanese.',
      answering((answer) =>
        isRefusal(answer) && isFields(answer.body)
          ? {
              ...answer,
              body: {
                ...answer.body,
                message: '見つかりません',
                ...('detail' in answer.body && { detail: '見つかりません' }),
              },
            }
          : answer,
      ),
    ],
    'fields-now-and-then': [
      'Every other answer has a field more in every object.',
      everyOther(everywhere((value) => (isFields(value) ? { ...value, _etag: 'W/"1"' } : value))),
    ],
    'ids-in-either-case': [
      'Ids are in capitals in every other answer.',
      everyOther(everywhere((value) => (isUuid(value) ? value.toUpperCase() : value))),
    ],
    'full-groups-and-texts-are-400': [
      'A start for a full group is refused with 400, and so is a character outside the basic plane.',
      (base) => ({
        ...refusing('body', (body) => /[\u{10000}-\u{10FFFF}]/u.test(JSON.stringify(body) ?? ''))(base),
        overCapacity: () => new Refusal(400, 'There is no room.'),
      }),
    ],
  }),
];
