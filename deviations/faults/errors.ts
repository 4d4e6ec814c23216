import { type OperationId, operations } from '../../generated/operations.js';
import { answering, explaining, restated, without } from '../change.js';
import type { Fault } from '../fault.js';

/** The body of the operations that start an execution. */
const standardFaults: readonly Fault[] = [
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
    id: 'plain-text-is-refused-as-a-page',
    breaks: ['responses-are-json'],
    says: 'A body that is not labelled as JSON is refused with a text.',
    behaviour: (base) => ({
      serialise: (operation, answer) =>
        answer.status === 415 ? 'Unsupported Media Type' : base.serialise(operation, answer),
    }),
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
];

/** What the standard error body may say beside code and message. */
const detailFaults: readonly Fault[] = [
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
    id: 'standard-errors-have-nulls',
    breaks: ['optional-fields-are-not-null'],
    says: 'What a standard error body does not say is null.',
    behaviour: explaining('Standard', (error) => ({ detail: null, errors: null, type: null, ...error })),
  },
];

/** The body of the other operations. That of the files operation may be either, and has its own rule. */
const simpleFaults: readonly Fault[] = [
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
];

/** A mistake of the caller's on which the service fails. */
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

const mistakeFaults: readonly Fault[] = [
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
];

export const errorFaults: readonly Fault[] = [...standardFaults, ...detailFaults, ...simpleFaults, ...mistakeFaults];
