import { type Operation, operations, type Parameter } from '../../generated/operations.js';
import { parameters } from '../../generated/validators.js';
import type { Behaviour } from '../behaviour/index.js';
import type { Call, Given } from '../call.js';
import type { Choices } from '../choices.js';
import { refuseParameter } from '../errors.js';
import { detailOf } from '../violations.js';

/** Reads the path, query and header parameters of a call. Throws a Refusal for what the contract does not allow. */
export function readParameters(call: Call, behaviour: Behaviour, choices: Choices): Given {
  const operation: Operation = operations[call.operation];
  const { pathParameters, queryParameters, headerParameters } = operation;
  const last = pathParameters.at(-1);
  const inPath = pathParameters.map((name) => {
    const value = name === last ? call.id : (call.inPath[name] ?? '');
    if (!behaviour.takesInPath(call.operation, name, value))
      throw refuseParameter(choices['malformed-id-status'], name, faultOf(call, name));
    return [name, value] as const;
  });
  const of = (described: readonly Parameter[], textsOf: (one: Parameter) => readonly string[]) => {
    const given = described.flatMap((one) => {
      const texts = textsOf(one);
      if (texts.length === 0 && one.required) throw refuseParameter(400, one.name, 'is required');
      const values = texts.map((text) => meaningOf(text, one.type));
      const value = one.isList ? values : values[0];
      if (texts.length > 0 && !parameters[call.operation][one.name]?.(value))
        throw refuseParameter(400, one.name, faultOf(call, one.name));
      return texts.length > 0 ? [[one.name, value] as const] : [];
    });
    return Object.fromEntries(given);
  };
  return {
    ...Object.fromEntries(inPath),
    ...(queryParameters.length > 0 && { query: of(queryParameters, ({ name }) => call.query.getAll(name)) }),
    ...(headerParameters.length > 0 && {
      header: of(headerParameters, ({ name, isList }) => {
        const text = call.headers.get(name);
        return text === null ? [] : isList ? text.split(/\s*,\s*/) : [text];
      }),
    }),
  };
}

/** Converts a text to a value of the type; returns the text itself if it is none. */
function meaningOf(text: string, type: Parameter['type']): unknown {
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}

/** The error of the latest validation of a parameter. */
function faultOf({ operation }: Call, name: string): string {
  const [error] = parameters[operation][name]?.errors ?? [];
  return error ? detailOf(error) : 'is not valid';
}
