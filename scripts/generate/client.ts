import type { Operation } from './document.js';

export function clientModule(operations: readonly Operation[]): string {
  const methods = operations.map(
    (
      operation,
    ) => `  /**\n${`${operation.description.trim()}${operation.deprecated ? '\n@deprecated' : ''}`.replaceAll(/^/gm, '   * ')}\n   */
  ${operation.id}: { takes: [${taken(operation).join(', ')}]; gives: ${given(operation)} };`,
  );
  const bodies = operations.flatMap((operation) => [
    operation.request?.body?.type ?? 'unknown',
    ...bodiesOf(operation),
  ]);
  const named = bodies.flatMap((type) => (type === 'unknown' ? [] : (/^\w+/.exec(type) ?? [])));
  return `import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { ${[...new Set([...named, 'paths'])].sort().join(', ')} } from './types.js';

export type ContractClient = Client<paths>;

/** Creates the openapi-fetch client for the contract's paths. The path of \`baseUrl\` is kept. */
export const createContractClient = (options: ClientOptions): ContractClient => createClient<paths>(options);

/** The methods of the client: \`takes\` are the ids of the path, then the request; \`gives\` is the result. */
export interface Methods {
${methods.join('\n')}
}
`;
}

/** The parameters of a method. */
const taken = ({ parameters, request }: Operation): string[] => [
  ...parameters.flatMap(({ in: place, name }) => (place === 'path' ? [`${name}: string`] : [])),
  ...(request ? [`request${request.required ? '' : '?'}: ${request.body?.type ?? 'never'}`] : []),
];

/** The types of the successes; none if a success may be empty. */
const bodiesOf = ({ responses, traits }: Operation): string[] =>
  traits.essential ? responses.flatMap(({ success, body }) => (success && body ? body.type : [])) : [];

const given = (operation: Operation): string => [...new Set(bodiesOf(operation))].join(' | ') || 'void';
