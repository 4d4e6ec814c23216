import type { OperationId } from '../../generated/operations.js';
import type { SimpleError, StandardError } from '../../generated/types.js';
import type { Answer, Call } from '../call.js';
import type { Choices } from '../choices.js';
import type { Problem } from '../errors.js';

/** The behaviour for all answers: error bodies and serialisation. */
export function answerBehaviour(choices: Choices) {
  return {
    /** interface: Errors, standard error body. */
    presentStandardError: ({ status, code, message, errors, instance }: Problem): StandardError => {
      const problem = { title: titles[status] ?? 'Refused', type: 'about:blank', status, instance };
      const fields = {
        all: { detail: message, ...(errors.length > 0 && { errors: [...errors] }), ...problem },
        problem,
        none: {},
      };
      return { code, message, ...fields[choices['standard-error-optional-fields']] };
    },

    /** interface: Errors, simple error body: its code is the status. */
    presentSimpleError: ({ status, message }: Problem): SimpleError => ({ code: status, message }),

    /** The error body of operations for which the interface does not say which. */
    filesErrorBody: (): 'standard' | 'simple' => choices['files-error-body'],

    /** Hooks for deviations: the first and last step of every call. */
    receive: (call: Call): Call => call,
    answer: (_call: Call, answer: Answer): Answer => answer,

    /** The body of an answer as text; null if it has none. */
    serialise: (_operation: OperationId | undefined, { body }: Answer): string | null =>
      body === undefined ? null : JSON.stringify(body),
  };
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal server error',
};
