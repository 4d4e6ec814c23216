import type { Fields } from '../../common/values.js';
import { fields, namesOf } from '../../generated/fields.js';
import type { OperationId } from '../../generated/operations.js';
import { samples } from '../../generated/samples.js';
import type { SimpleError, StandardError } from '../../generated/types.js';
import type { Answer, Call } from '../call.js';
import type { Choices } from '../choices.js';
import type { Problem } from '../errors.js';

/** The behaviour for all answers: error bodies and serialisation. */
export function answerBehaviour(choices: Choices) {
  const optional = ({ status, message, errors, instance }: Problem) => {
    const problem = { title: titles[status] ?? 'Refused', type: 'about:blank', status, instance };
    const all = { detail: message, ...(errors.length > 0 && { errors: [...errors] }), ...problem };
    return { all, problem, none: {} }[choices['standard-error-optional-fields']];
  };
  return {
    /** interface: Errors, standard error body. */
    presentStandardError: (problem: Problem): StandardError => {
      const { code, message } = problem;
      return { code, message, ...optional(problem) };
    },

    /** interface: Errors, simple error body: its code is the status. Has the optional fields that the contract names. */
    presentSimpleError: (problem: Problem): SimpleError => {
      const { status: code, message, schema } = problem;
      const known: Fields = { ...(schema && samples[schema].full), errors: undefined, ...optional(problem) };
      const further = namesOf(schema ? fields[schema] : {}).filter((name) => known[name] !== undefined);
      return { ...Object.fromEntries(further.map((name) => [name, known[name]])), code, message } as SimpleError;
    },

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
