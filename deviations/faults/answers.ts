import { answering, bodyOf, isFields, isRefusal, restated, shownKey, undocumented, without } from '../change.js';
import type { Fault } from '../fault.js';

const typed = (type: string) => ({ 'Content-Type': type });

/** What holds for every answer. */
export const answerFaults: readonly Fault[] = [
  {
    id: 'errors-are-plain-text',
    breaks: ['json-is-labelled'],
    says: 'Refusals say that they are plain text.',
    behaviour: answering((answer) => (isRefusal(answer) ? { ...answer, headers: typed('text/plain') } : answer)),
  },
  {
    id: 'errors-are-html',
    breaks: [
      'responses-are-json',
      'standard-error-shape',
      'simple-error-shape',
      'files-error-shape',
      'unknown-execution-files-is-404',
    ],
    says: 'Refusals are pages of HTML.',
    behaviour: (base) => ({
      serialise: (operation, answer) =>
        isRefusal(answer) ? '<!doctype html><title>Error</title>' : base.serialise(operation, answer),
      answer: (_call, answer) => (isRefusal(answer) ? { ...answer, headers: typed('text/html') } : answer),
    }),
  },
  {
    id: 'listings-are-octets',
    breaks: ['json-is-labelled'],
    says: 'Listings of files say that they are application/octet-stream.',
    behaviour: answering((answer, { operation }) =>
      operation === 'listExecutionFiles' ? { ...answer, headers: typed('application/octet-stream') } : answer,
    ),
  },
  {
    id: 'duplicates-are-cut-off',
    breaks: ['responses-are-json', 'response-matches-schema', 'duplicate-is-new'],
    says: 'The answer to a duplicate ends in the middle.',
    behaviour: (base) => ({
      serialise: (operation, answer) => {
        const text = base.serialise(operation, answer);
        return operation === 'duplicateProfile' && !isRefusal(answer) ? (text?.slice(0, -20) ?? null) : text;
      },
    }),
  },
  {
    id: 'files-begin-with-a-byte-order-mark',
    breaks: ['responses-are-json', 'response-matches-schema'],
    says: 'The list of files begins with a byte order mark, which is no JSON.',
    behaviour: (base) => ({
      serialise: (operation, answer) => {
        const text = base.serialise(operation, answer);
        return operation === 'listExecutionFiles' && !isRefusal(answer) && text !== null ? `\ufeff${text}` : text;
      },
    }),
  },
  {
    id: 'pool-deletion-says-ok',
    breaks: ['responses-are-json', ...undocumented('deletePool', 200)],
    says: 'A deleted pool is answered with the text OK.',
    behaviour: (base) => ({
      ...answering((answer, { operation }) =>
        operation === 'deletePool' && answer.status < 300 ? { status: 200, body: 'OK' } : answer,
      )(base),
      serialise: (operation, answer) => (answer.body === 'OK' ? 'OK' : base.serialise(operation, answer)),
    }),
  },
  {
    id: 'updates-are-refused-with-422',
    breaks: ['status-is-documented'],
    says: 'Updates that break their schema are refused with 422, which the operation does not list.',
    behaviour: answering((answer, { operation }) =>
      operation === 'updateProfile' && answer.status === 400 ? restated(answer, 422) : answer,
    ),
  },
  {
    id: 'sync-answers-201',
    breaks: ['status-is-documented', 'sync-200-means-terminal'],
    says: 'A synchronous start whose run has ended is answered 201.',
    behaviour: answering((answer, { operation }) =>
      operation === 'executeSync' && answer.status === 200 ? { ...answer, status: 201 } : answer,
    ),
  },
  {
    id: 'updates-say-nothing',
    breaks: ['status-is-documented', 'response-matches-schema'],
    says: 'An update is answered 204, without the profile.',
    behaviour: answering((answer, { operation }) =>
      operation === 'updateProfile' && answer.status === 200 ? { status: 204 } : answer,
    ),
  },
  {
    id: 'empty-listings-are-204',
    breaks: ['status-is-documented', 'response-matches-schema'],
    says: 'Where an execution has no files, the listing is answered 204.',
    behaviour: (base) => ({
      answer: (call, answer) => {
        const { directories } = isFields(answer.body) ? answer.body : {};
        const isEmpty = isFields(directories) && Object.values(directories).flat().length === 0;
        return base.answer(call, isEmpty ? { status: 204 } : answer);
      },
    }),
  },
  {
    id: 'nan-is-taken',
    breaks: ['execute-body-is-typed'],
    says: 'NaN is taken for a number, as parsers of some languages do.',
    behaviour: (base) => ({
      parseBody: (bytes) =>
        base.parseBody(
          Buffer.from(
            Buffer.from(bytes)
              .toString()
              .replace(/: NaN(?=[,}])/g, ': 0'),
          ),
        ),
    }),
  },
  {
    id: 'malformed-json-is-500',
    breaks: ['no-server-errors', 'refusals-are-client-errors'],
    says: 'The service fails on malformed JSON.',
    behaviour: (base) => ({
      parseBody: (bytes) => {
        try {
          return base.parseBody(bytes);
        } catch {
          throw new Error('The parser failed.');
        }
      },
    }),
  },
  {
    id: 'duplicates-elsewhere-are-500',
    breaks: ['no-server-errors', 'duplicate-into-organization'],
    says: 'The service fails to duplicate into another organization.',
    behaviour: (base) => ({
      copyProfile: (source, name, organization, ...others) => {
        if (organization.id !== source.organizationId) throw new Error('The copy failed.');
        return base.copyProfile(source, name, organization, ...others);
      },
    }),
  },
  {
    id: 'answers-send-the-key-back',
    breaks: ['no-secrets-in-responses'],
    says: 'A header of every answer repeats the key.',
    behaviour: answering((answer, call) => ({
      ...answer,
      headers: { ...answer.headers, 'X-Request-Key': shownKey(call) ?? 'none' },
    })),
  },
  {
    id: 'errors-quote-the-key',
    breaks: ['no-secrets-in-responses'],
    says: 'A message that something was not found quotes the key.',
    behaviour: answering((answer, call) =>
      answer.status === 404
        ? { ...answer, body: { code: 404, message: `It was not found with the key ${shownKey(call)}.` } }
        : answer,
    ),
  },
  {
    id: 'trigger-shows-the-key',
    breaks: ['no-secrets-in-responses'],
    says: 'An execution shows the key itself as the name of the key that started it.',
    behaviour: (base) => ({
      triggerOf: (key) => ({
        ...base.triggerOf(key),
        source: 'api',
        apiKey: { id: key.id, name: key.secret },
      }),
    }),
  },
  {
    id: 'starts-lack-the-status',
    breaks: ['response-matches-schema', 'execute-is-accepted'],
    says: 'A start is answered without a status.',
    behaviour: bodyOf('execute', (body) => without(body, 'status')),
  },
];
