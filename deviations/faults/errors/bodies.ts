import { answering, explaining, isFields, isRefusal, without } from '../../change.js';
import type { Fault } from '../../fault.js';

/** Faults in error bodies. */
export const errorFaults: readonly Fault[] = [
  {
    id: 'errors-lack-the-message-at-times',
    breaks: ['standard-error-shape', 'simple-error-shape', 'files-error-shape'],
    says: 'Every twelfth error body has no message.',
    behaviour: (base) => {
      let count = 0;
      return answering((answer) => {
        if (!isRefusal(answer) || !isFields(answer.body)) return answer;
        count += 1;
        return count % 12 === 0 ? { ...answer, body: without(answer.body, 'message', 'detail') } : answer;
      })(base);
    },
  },
  {
    id: 'standard-errors-lack-the-code',
    breaks: ['standard-error-shape'],
    says: 'The standard error body has no code.',
    behaviour: explaining('Standard', (error) => without(error, 'code')),
  },
  {
    id: 'standard-errors-lack-the-message',
    breaks: ['standard-error-shape'],
    says: 'The standard error body has detail and no message.',
    behaviour: explaining('Standard', (error) => without(error, 'message')),
  },
  {
    id: 'several-mistakes-lack-the-code',
    breaks: ['standard-error-shape'],
    says: 'The standard error body has no code where it names several parameters.',
    behaviour: explaining('Standard', (error) =>
      Array.isArray(error.errors) && error.errors.length > 1 ? without(error, 'code') : error,
    ),
  },
  {
    id: 'wants-of-capacity-lack-the-code',
    breaks: ['standard-error-shape'],
    says: 'The standard error body has no code where there is no capacity.',
    behaviour: explaining('Standard', (error, status) =>
      status === 429 ? { ...without(error, 'code'), detail: error.message } : error,
    ),
  },
  {
    id: 'standard-codes-are-words',
    breaks: ['standard-error-shape'],
    says: 'The code of the standard error body is a word.',
    behaviour: explaining('Standard', (error) => ({ ...error, code: 'invalid_request' })),
  },
  {
    id: 'standard-codes-exceed-int32',
    breaks: ['standard-error-shape'],
    says: 'The code of the standard error body takes more than 32 bits.',
    behaviour: explaining('Standard', (error, status) => ({ ...error, code: status * 1e9 })),
  },
  {
    id: 'standard-errors-are-wrapped',
    breaks: ['standard-error-shape'],
    says: 'The standard error body is in a field named error.',
    behaviour: explaining('Standard', (error) => ({ error })),
  },
  {
    id: 'standard-errors-are-empty',
    breaks: ['standard-error-shape'],
    says: 'A start is refused without a body.',
    behaviour: answering((answer, { operation }) =>
      operation.startsWith('execute') && answer.status >= 400 ? { status: answer.status } : answer,
    ),
  },
  {
    id: 'error-items-lack-the-detail',
    breaks: ['standard-error-shape'],
    says: 'The items of errors name a parameter and do not say what is wrong with it.',
    behaviour: (base) => ({
      presentStandardError: (problem) =>
        base.presentStandardError({
          ...problem,
          errors: problem.errors.map(({ parameter }) => ({ parameter }) as (typeof problem.errors)[number]),
        }),
    }),
  },
  {
    id: 'error-items-are-texts',
    breaks: ['standard-error-shape'],
    says: 'The items of errors are texts.',
    behaviour: explaining('Standard', (error) => ({
      ...error,
      ...(Array.isArray(error.errors) && { errors: error.errors.map(({ detail }) => detail) }),
    })),
  },
  {
    id: 'error-status-is-text',
    breaks: ['standard-error-shape'],
    says: 'The status in the standard error body is a text.',
    behaviour: explaining('Standard', (error, status) => ({ ...error, status: `${status}` })),
  },
  {
    id: 'details-differ-at-the-limit',
    breaks: ['standard-error-detail'],
    says: 'The detail of what is refused for want of capacity says more than its message.',
    behaviour: answering((answer) =>
      answer.status === 429 && isFields(answer.body)
        ? { ...answer, body: { ...answer.body, detail: `${answer.body.message} Come back later.` } }
        : answer,
    ),
  },
  {
    id: 'detail-differs-from-message',
    breaks: ['standard-error-detail'],
    says: 'The detail of an error body says more than its message.',
    behaviour: explaining('Standard', (error) => ({ ...error, detail: `${error.message} Sorry.` })),
  },
  {
    id: 'instance-is-a-url',
    breaks: ['standard-error-instance'],
    says: 'instance is a URL with its host.',
    behaviour: explaining('Standard', (error) => ({ ...error, instance: `https://api.example.com${error.instance}` })),
  },
  {
    id: 'instance-is-the-asynchronous-path',
    breaks: ['standard-error-instance'],
    says: 'instance of a synchronous start is the path of an asynchronous one.',
    behaviour: explaining('Standard', (error) => ({
      ...error,
      instance: String(error.instance).replace(/\/sync$/, ''),
    })),
  },
  {
    id: 'error-status-is-always-400',
    breaks: ['standard-error-status'],
    says: 'The status in the standard error body is 400 whatever the HTTP status.',
    behaviour: explaining('Standard', (error) => ({ ...error, status: 400 })),
  },
  {
    id: 'problem-types-are-words',
    breaks: ['standard-error-type'],
    says: 'The type of a problem is a word.',
    behaviour: explaining('Standard', (error) => ({ ...error, type: 'invalid_request' })),
  },
  {
    id: 'titles-tell-all',
    breaks: ['standard-error-title'],
    says: 'The title of a problem is the whole story.',
    behaviour: explaining('Standard', (error) => ({ ...error, title: `${error.message} `.repeat(20) })),
  },
  {
    id: 'parameters-are-numbered',
    breaks: ['standard-error-parameter'],
    says: 'errors names the parameters by number.',
    behaviour: explaining('Standard', (error) => ({
      ...error,
      ...(Array.isArray(error.errors) && {
        errors: error.errors.map((one, index) => ({ ...one, parameter: `p${index}` })),
      }),
    })),
  },
  {
    id: 'simple-errors-lack-the-message',
    breaks: ['simple-error-shape', 'files-error-shape', 'unknown-execution-files-is-404'],
    says: 'The simple error body has no message.',
    behaviour: explaining('Simple', (error) => without(error, 'message')),
  },
  {
    id: 'simple-errors-lack-the-code',
    breaks: ['simple-error-shape', 'files-error-shape'],
    says: 'The simple error body has no code.',
    behaviour: explaining('Simple', (error) => without(error, 'code')),
  },
  {
    id: 'simple-codes-are-words',
    breaks: ['simple-error-shape', 'files-error-shape'],
    says: 'The code of the simple error body is a word.',
    behaviour: explaining('Simple', (error) => ({ ...error, code: 'not_found' })),
  },
  {
    id: 'simple-errors-are-problems',
    breaks: ['simple-error-shape', 'files-error-shape'],
    says: 'In place of the simple error body there is a problem document with title and detail.',
    behaviour: explaining('Simple', ({ message }, status) => ({ status, title: 'Refused', detail: message })),
  },
  ...([400, 401, 403, 404] as const).map(
    (status): Fault => ({
      id: `code-of-${status}-is-its-own`,
      breaks: ['simple-error-code'],
      says: `The code of a ${status} is a number of its own.`,
      behaviour: explaining('Simple', (error, actual) =>
        actual === status ? { ...error, code: status * 100 + 1 } : error,
      ),
    }),
  ),
  {
    id: 'code-is-always-0',
    breaks: ['simple-error-code'],
    says: 'The code of the simple error body is always 0.',
    behaviour: explaining('Simple', (error) => ({ ...error, code: 0 })),
  },
  {
    id: 'listings-are-refused-in-silence',
    breaks: ['files-error-shape'],
    says: 'Whoever may not list files is told nothing but the status.',
    behaviour: answering((answer, { operation }) =>
      operation === 'listExecutionFiles' && (answer.status === 401 || answer.status === 403)
        ? { status: answer.status }
        : answer,
    ),
  },
];
