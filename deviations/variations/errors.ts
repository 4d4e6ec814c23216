/** Unusual forms of all answers, and of error bodies. */

import { isUuid } from '../../common/values.js';
import { answering, changing, explaining, isFields, isRefusal, restated, type Way } from '../change.js';
import { behaving, type Variation } from '../variation.js';
import { everywhere } from './everywhere.js';

const type = (value: string) => ({ 'Content-Type': value });

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

export const errorVariations: readonly Variation[] = behaving({
  'more-fields': everywhere((value) => (isFields(value) ? { ...value, _links: { self: null } } : value)),
  'problem-type': answering((answer) =>
    isRefusal(answer) ? { ...answer, headers: type('application/problem+json') } : answer,
  ),
  charset: answering((answer) => ({
    ...answer,
    headers: { ...answer.headers, ...type('application/json;charset=UTF-8') },
  })),
  'text-json': answering((answer) => ({ ...answer, headers: { ...answer.headers, ...type('text/json') } })),
  'names-of-prototypes': changing(
    'serialise',
    (text) => text?.replace(/^\{(?=")/, '{"__proto__":{"code":1},"constructor":"x","toString":1,') ?? null,
  ),
  'talkative-errors': answering((answer) =>
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
  'codes-below-zero': explaining('Standard', (error, status) => ({ ...error, code: -status })),
  'unknown-things-are-forbidden': [
    answering((answer, { operation }) =>
      answer.status === 404 && operation !== 'listExecutionFiles' ? restated(answer, 403) : answer,
    ),
    { warns: ['unknown-execution-is-404', 'unknown-profile-is-404', 'unknown-pool-is-404'] },
  ],
  'missing-listings-are-explained-in-a-text': [
    answering((answer, { operation }) =>
      answer.status === 404 && operation === 'listExecutionFiles' ? { ...answer, body: 'Execution not found' } : answer,
    ),
    { warns: ['files-error-shape'] },
  ],
  'foreign-words': answering((answer) =>
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
  'fields-now-and-then': everyOther(everywhere((value) => (isFields(value) ? { ...value, _etag: 'W/"1"' } : value))),
  'ids-in-either-case': everyOther(everywhere((value) => (isUuid(value) ? value.toUpperCase() : value))),
});
