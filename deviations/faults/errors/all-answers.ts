/** Faults in what holds for every answer. */

import { type OperationId, operations } from '../../../generated/operations.js';
import { answering, explaining, isFields, isRefusal, restated, showing, shownKey, undocumented } from '../../change.js';
import type { Fault } from '../../fault.js';

const typed = (type: string) => ({ 'Content-Type': type });

/** Invalid bodies make the service fail. */
const fails = (operation: OperationId): Fault => ({
  id: `${operation}-fails-on-invalid-bodies`,
  breaks: ['no-server-errors', 'refusals-are-client-errors'],
  says: `A body of ${operation} that breaks its schema is answered 500.`,
  behaviour: (base) => ({
    violations: (called, body) => {
      const violations = base.violations(called, body);
      if (called === operation && violations.length > 0) throw new Error('The body was not understood.');
      return violations;
    },
  }),
});

export const answerFaults: readonly Fault[] = [
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
    id: 'plain-text-is-refused-as-a-page',
    breaks: ['responses-are-json'],
    says: 'A body that is not labelled as JSON is refused with a text.',
    behaviour: (base) => ({
      serialise: (operation, answer) =>
        answer.status === 415 ? 'Unsupported Media Type' : base.serialise(operation, answer),
    }),
  },
  {
    id: 'errors-are-plain-text',
    breaks: ['json-is-labelled'],
    says: 'Refusals say that they are plain text.',
    behaviour: answering((answer) => (isRefusal(answer) ? { ...answer, headers: typed('text/plain') } : answer)),
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
    id: 'unset-fields-are-null',
    breaks: ['optional-fields-are-not-null'],
    says: 'An execution that no profile was asked for has agentProfileId null.',
    behaviour: showing((one) => ({ agentProfileId: null, ...one })),
  },
  {
    id: 'standard-errors-have-nulls',
    breaks: ['optional-fields-are-not-null'],
    says: 'What a standard error body does not say is null.',
    behaviour: explaining('Standard', (error) => ({ detail: null, errors: null, type: null, ...error })),
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
  ...(['execute', 'executeSync', 'updateProfile'] as const).map(fails),
  {
    id: 'unknown-organizations-are-500',
    breaks: ['no-server-errors', 'refusals-are-client-errors'],
    says: 'A duplicate into an organization that does not exist is answered 500.',
    behaviour: answering((answer, { operation }) =>
      operation === 'duplicateProfile' && answer.status === 400 ? restated(answer, 500) : answer,
    ),
  },
  {
    id: 'missing-bodies-are-500',
    breaks: ['no-server-errors'],
    says: 'A start or an update without a body is answered 500.',
    behaviour: answering((answer, { operation, headers }) =>
      operations[operation].requestBody === 'required' && answer.status === 400 && !headers.has('content-type')
        ? restated(answer, 500)
        : answer,
    ),
  },
  {
    id: 'null-bodies-are-500',
    breaks: ['no-server-errors', 'refusals-are-client-errors'],
    says: 'The service fails on a body that is null.',
    behaviour: (base) => ({
      violations: (operation, body) => {
        if (body === null) throw new Error('The body was not understood.');
        return base.violations(operation, body);
      },
    }),
  },
  {
    id: 'unknown-fields-of-starts-are-500',
    breaks: ['no-server-errors'],
    says: 'The service fails on a field of a start that it does not know.',
    behaviour: (base) => ({
      unknownFields: (body, known) => {
        if (known.has('metadata') && Object.keys(body).some((field) => !known.has(field)))
          throw new Error('The field could not be written.');
        return base.unknownFields(body, known);
      },
    }),
  },
  {
    id: 'updates-of-unknown-credentials-are-500',
    breaks: ['no-server-errors'],
    says: 'The service fails on data for a credential that is not there.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates) => {
        try {
          return base.updateCredentials(credentials, updates);
        } catch {
          throw new Error('The credential was not found.');
        }
      },
    }),
  },
  {
    id: 'cookies-that-are-there-are-500',
    breaks: ['no-server-errors'],
    says: 'The service fails on a cookie of a name and a domain that are there already.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) => {
        const isThere = added.some((one) =>
          cookies.some(({ name, domain }) => name === one.name && domain === one.domain),
        );
        if (isThere) throw new Error('The cookie could not be written.');
        return base.addCookies(cookies, added, ...rest);
      },
    }),
  },
  {
    id: 'null-characters-in-descriptions-are-500',
    breaks: ['no-server-errors'],
    says: 'The service fails on a description with a character that its store does not take.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        if (update.description?.includes('\0')) throw new Error('The description could not be written.');
        return base.changeSettings(profile, update);
      },
    }),
  },
  {
    id: 'null-bodies-of-duplicates-are-500',
    breaks: ['no-server-errors', 'refusals-are-client-errors'],
    says: 'The service fails on the body of a duplicate that is null.',
    behaviour: (base) => ({
      violations: (operation, body) => {
        if (operation === 'duplicateProfile' && body === null) throw new Error('The body was not understood.');
        return base.violations(operation, body);
      },
    }),
  },
  {
    id: 'malformed-ids-are-500',
    breaks: ['no-server-errors', 'refusals-are-client-errors'],
    says: 'An id that is no uuid is answered 500.',
    behaviour: (base) => ({
      takesInPath: (...asked) => {
        if (!base.takesInPath(...asked)) throw new Error('The id was not understood.');
        return true;
      },
    }),
  },
  {
    id: 'deleting-a-gone-pool-is-500',
    breaks: ['no-server-errors', 'refusals-are-client-errors', 'unknown-pool-is-404', 'deleted-pool-is-gone'],
    says: 'The service fails to delete a pool that is not there.',
    behaviour: (base) => ({
      findPool: (organization, id) => {
        const pool = base.findPool(organization, id);
        if (!pool) throw new Error('The pool was not understood.');
        return pool;
      },
    }),
  },
  {
    id: 'files-beside-temp-files-are-500',
    breaks: ['no-server-errors'],
    says: 'The service fails to list the files of an execution that was given temp files.',
    behaviour: (base) => ({
      presentFiles: (run, ...others) => {
        if (run.start.tempFiles.length > 0) throw new Error('The files could not be listed.');
        return base.presentFiles(run, ...others);
      },
    }),
  },
  {
    id: 'files-of-queued-executions-are-500',
    breaks: ['no-server-errors'],
    says: 'The service fails to list the files of an execution that is queued.',
    behaviour: (base) => ({
      presentFiles: (run, ...others) => {
        if (run.status === 'queued') throw new Error('The files could not be listed.');
        return base.presentFiles(run, ...others);
      },
    }),
  },
  ...(
    [
      ['half-pairs', 'half of a surrogate pair', (text: string) => /\p{Surrogate}/u.test(text)],
      ['null-characters', 'a null character', (text: string) => text.includes('\0')],
    ] as const
  ).map(
    ([what, says, isIn]): Fault => ({
      id: `${what}-cannot-be-read`,
      breaks: ['no-server-errors'],
      says: `An execution whose inputs or metadata have ${says} is taken, and cannot be read.`,
      behaviour: showing((one) => {
        const texts = Object.values({ ...one.inputs, ...one.metadata }).filter((value) => typeof value === 'string');
        if (texts.some(isIn)) throw new Error('The text could not be written.');
        return one;
      }),
    }),
  ),
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
];
