import { meaningOf } from '../../common/values.js';
import { type Operation, operations } from '../../generated/operations.js';
import { parameters } from '../../generated/validators.js';
import type { Behaviour } from '../behaviour/index.js';
import type { Call, Given } from '../call.js';
import type { Choices } from '../choices.js';
import { refuseParameter } from '../errors.js';
import { detailOf } from '../violations.js';

/** Reads the path and query parameters of a call. Throws a Refusal for what the contract does not allow. */
export function readParameters(call: Call, behaviour: Behaviour, choices: Choices): Given {
  const operation: Operation = operations[call.operation];
  const { pathParameters, queryParameters } = operation;
  const inPath = pathParameters.map((name) => {
    if (!behaviour.takesInPath(call.operation, name, call.id))
      throw refuseParameter(choices['malformed-id-status'], name, faultOf(call, name));
    return [name, call.id] as const;
  });
  const inQuery = queryParameters.flatMap(({ name, required, type, isList }) => {
    const texts = call.query.getAll(name);
    if (texts.length === 0 && required) throw refuseParameter(400, name, 'is required');
    const values = texts.map((text) => meaningOf(text, type));
    const value = isList ? values : values[0];
    if (texts.length > 0 && !parameters[call.operation][name]?.(value))
      throw refuseParameter(400, name, faultOf(call, name));
    return texts.length > 0 ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(inPath),
    ...(queryParameters.length > 0 && { query: Object.fromEntries(inQuery) }),
  };
}

/** The error of the latest validation of a parameter. */
function faultOf({ operation }: Call, name: string): string {
  const [error] = parameters[operation][name]?.errors ?? [];
  return error ? detailOf(error) : 'is not valid';
}
