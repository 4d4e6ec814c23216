import { answering, explaining, isFields, isRefusal, without } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

/** Faults in error bodies. */
export const errorFaults: readonly Fault[] = [
  ...breaking('standard-error-shape', {
    'errors-lack-the-message-at-times': [
      'Every twelfth error body has no message.',
      (base) => {
        let count = 0;
        return answering((answer) => {
          if (!isRefusal(answer) || !isFields(answer.body)) return answer;
          count += 1;
          return count % 12 === 0 ? { ...answer, body: without(answer.body, 'message', 'detail') } : answer;
        })(base);
      },
      'simple-error-shape',
      'files-error-shape',
    ],
    'several-mistakes-lack-the-code': [
      'The standard error body has no code where it names several parameters.',
      explaining('Standard', (error) =>
        Array.isArray(error.errors) && error.errors.length > 1 ? without(error, 'code') : error,
      ),
    ],
    'wants-of-capacity-lack-the-code': [
      'The standard error body has no code where there is no capacity.',
      explaining('Standard', (error, status) =>
        status === 429 ? { ...without(error, 'code'), detail: error.message } : error,
      ),
    ],
  }),
  ...breaking('standard-error-detail', {
    'details-differ-at-the-limit': [
      'The detail of what is refused for want of capacity says more than its message.',
      answering((answer) =>
        answer.status === 429 && isFields(answer.body)
          ? { ...answer, body: { ...answer.body, detail: `${answer.body.message} Come back later.` } }
          : answer,
      ),
    ],
    'detail-differs-from-message': [
      'The detail of an error body says more than its message.',
      explaining('Standard', (error) => ({ ...error, detail: `${error.message} Sorry.` })),
    ],
  }),
  ...breaking('standard-error-instance', {
    'instance-is-a-url': [
      'instance is a URL with its host.',
      explaining('Standard', (error) => ({ ...error, instance: `https://api.example.com${error.instance}` })),
    ],
    'instance-is-the-asynchronous-path': [
      'instance of a synchronous start is the path of an asynchronous one.',
      explaining('Standard', (error) => ({
        ...error,
        instance: String(error.instance).replace(/\/sync$/, ''),
      })),
    ],
  }),
  ...breaking('standard-error-status', {
    'error-status-is-always-400': [
      'The status in the standard error body is 400 whatever the HTTP status.',
      explaining('Standard', (error) => ({ ...error, status: 400 })),
    ],
  }),
  ...breaking('standard-error-type', {
    'problem-types-are-words': [
      'The type of a problem is a word.',
      explaining('Standard', (error) => ({ ...error, type: 'invalid_request' })),
    ],
  }),
  ...breaking('standard-error-title', {
    'titles-tell-all': [
      'The title of a problem is the whole story.',
      explaining('Standard', (error) => ({ ...error, title: `${error.message} `.repeat(20) })),
    ],
  }),
  ...breaking('standard-error-parameter', {
    'parameters-are-numbered': [
      'errors names the parameters by number.',
      explaining('Standard', (error) => ({
        ...error,
        ...(Array.isArray(error.errors) && {
          errors: error.errors.map((one, index) => ({ ...one, parameter: `p${index}` })),
        }),
      })),
    ],
  }),
  ...breaking('simple-error-shape', {
    'simple-errors-lack-the-message': [
      'The simple error body has a code alone, and no message.',
      explaining('Simple', ({ code }) => ({ code })),
      'files-error-shape',
      'unknown-execution-files-is-404',
    ],
    'simple-errors-lack-the-code': [
      'The simple error body has no code.',
      explaining('Simple', (error) => without(error, 'code')),
      'files-error-shape',
    ],
    'simple-codes-are-words': [
      'The code of the simple error body is a word.',
      explaining('Simple', (error) => ({ ...error, code: 'not_found' })),
      'files-error-shape',
    ],
  }),
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
];
