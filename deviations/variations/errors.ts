/** Unusual forms of all answers, and of error bodies. */

import { Refusal } from '../../reference/errors.js';
import { answering, changing, explaining, isFields, isRefusal, refusing, restated, type Way } from '../change.js';
import type { Variation } from '../variation.js';
import { everywhere, isId } from './everywhere.js';

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
  {
    id: 'ids-in-capitals',
    says: 'Ids are shown in capitals.',
    behaviour: everywhere((value) => (isId(value) ? value.toUpperCase() : value)),
  },
  {
    id: 'more-fields',
    says: 'Every object in an answer has a field that the contract does not name.',
    behaviour: everywhere((value) => (isFields(value) ? { ...value, _links: { self: null } } : value)),
  },
  {
    id: 'problem-type',
    says: 'Refusals are application/problem+json.',
    behaviour: answering((answer) =>
      isRefusal(answer) ? { ...answer, headers: type('application/problem+json') } : answer,
    ),
  },
  {
    id: 'charset',
    says: 'Content-Type names a charset.',
    behaviour: answering((answer) => ({
      ...answer,
      headers: { ...answer.headers, ...type('application/json;charset=UTF-8') },
    })),
  },
  {
    id: 'text-json',
    says: 'Content-Type is text/json.',
    behaviour: answering((answer) => ({ ...answer, headers: { ...answer.headers, ...type('text/json') } })),
  },
  {
    id: 'paths-within',
    says: 'A gateway puts a path of its own before that of the interface, which errors tell.',
    behaviour: answering((answer) =>
      isRefusal(answer) && isFields(answer.body) && 'instance' in answer.body
        ? { ...answer, body: { ...answer.body, instance: `/internal/v1${answer.body.instance}` } }
        : answer,
    ),
  },
  {
    id: 'own-words',
    says: 'What is not found is said to be impossible to locate.',
    behaviour: () => ({ runNotFound: () => new Refusal(404, 'Unable to locate that run.') }),
  },
  {
    id: 'plain-ascii',
    says: 'JSON is indented, and escapes what is not ASCII.',
    behaviour: () => ({
      serialise: (_, { body }) =>
        body === undefined
          ? null
          : JSON.stringify(body, null, 4).replace(
              /[^ -~\n]/g,
              (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
            ),
    }),
  },
  written('decimal-integers', 'Integers are written with a point: 404.0.', (text) =>
    text.replace(/:(-?\d+)(?=[,}])/g, ':$1.0'),
  ),
  written('members-twice', 'The first member of an object is written twice.', (text) =>
    text.replace(/^\{("\w+":(?:"[^"\\]*"|\d+)),/, '{$1,$1,'),
  ),
  written('names-of-prototypes', 'Every body has members that are called as those of all objects are.', (text) =>
    text.replace(/^\{(?=")/, '{"__proto__":{"code":1},"constructor":"x","toString":1,'),
  ),
  {
    id: 'fields-the-other-way-round',
    says: 'Fields come in the opposite order.',
    behaviour: everywhere((value) => (isFields(value) ? Object.fromEntries(Object.entries(value).reverse()) : value)),
  },
  {
    id: 'talkative-errors',
    says: 'Every error body has what either of the two may have, and more.',
    behaviour: answering((answer) =>
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
  },
  {
    id: 'instances-in-capitals',
    says: 'The path that an error tells has its id in capitals, and a slash at its end.',
    behaviour: explaining('Standard', (error) =>
      typeof error.instance === 'string'
        ? { ...error, instance: `${error.instance.replace(/[\da-f-]{36}/g, (id) => id.toUpperCase())}/` }
        : error,
    ),
  },
  {
    id: 'codes-below-zero',
    says: 'Codes of standard errors are numbers below zero.',
    behaviour: explaining('Standard', (error, status) => ({ ...error, code: -status })),
  },
  {
    id: 'talkative-headers',
    says: 'Every answer tells when to come back, what it links to, and that it will be gone.',
    behaviour: answering((answer) => ({
      ...answer,
      headers: {
        ...answer.headers,
        'Retry-After': '30',
        Location: '/agents/v2/elsewhere',
        Link: '</agents/v2>; rel="next"',
        ETag: 'W/"1"',
        Age: '7',
        Sunset: 'Sat, 31 Dec 2033 23:59:59 GMT',
        'Set-Cookie': 'session=1; HttpOnly',
      },
    })),
  },
  {
    id: 'unknown-things-are-forbidden',
    says: 'A key may not use what does not exist: nobody learns what there is.',
    warns: ['unknown-execution-is-404', 'unknown-profile-is-404', 'unknown-pool-is-404'],
    behaviour: answering((answer, { operation }) =>
      answer.status === 404 && operation !== 'listExecutionFiles' ? restated(answer, 403) : answer,
    ),
  },
  {
    id: 'missing-listings-are-explained-in-a-text',
    says: 'The listing of an execution that does not exist is answered with the JSON text "Execution not found".',
    warns: ['files-error-shape'],
    behaviour: answering((answer, { operation }) =>
      answer.status === 404 && operation === 'listExecutionFiles' ? { ...answer, body: 'Execution not found' } : answer,
    ),
  },
  {
    id: 'foreign-words',
    says: 'Refusals are explained in Japanese.',
    behaviour: answering((answer) =>
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
  },
  {
    id: 'fields-now-and-then',
    says: 'Every other answer has a field more in every object.',
    behaviour: everyOther(everywhere((value) => (isFields(value) ? { ...value, _etag: 'W/"1"' } : value))),
  },
  {
    id: 'ids-in-either-case',
    says: 'Ids are in capitals in every other answer.',
    behaviour: everyOther(everywhere((value) => (isId(value) ? value.toUpperCase() : value))),
  },
  {
    id: 'texts-of-the-basic-plane',
    says: 'What has a character outside the basic plane in it is refused with 400.',
    behaviour: refusing('body', (body) => /[\u{10000}-\u{10FFFF}]/u.test(JSON.stringify(body) ?? '')),
  },
];
