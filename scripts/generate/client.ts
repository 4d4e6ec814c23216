import type { Operation } from './document.js';
import { typeImports } from './imports.js';
import { source } from './text.js';

export function clientModule(operations: Operation[]): string {
  const methods = operations.map(({ id, summary, method, path, pathParameter, request }) => {
    const body = request ? `body${request.required ? '' : '?'}: ${request.type}, ` : '';
    const passed = request ? (request.required ? ', body' : ', ...(body !== undefined && { body })') : '';
    return `    /** ${summary} */
    ${id}: (${pathParameter}: string, ${body}init: CallInit = {}) =>
      client.${method}(${source(path)}, { ...init, params: { path: { ${pathParameter} } }${passed} }),`;
  });
  return `import createClient, { type Client, type ClientOptions, type HeadersOptions } from 'openapi-fetch';
${typeImports(
  operations.map(({ request }) => request?.type),
  'paths',
)}
export type ContractClient = Client<paths, 'application/json'>;

/** What one call may set for itself. */
export interface CallInit {
  signal?: AbortSignal;
  headers?: HeadersOptions;
}

/** A client of the contract's paths; \`baseUrl\` may carry a path of its own. */
export const createContractClient = (options: ClientOptions): ContractClient =>
  createClient<paths, 'application/json'>(options);

/**
 * One method for each operation: the id in its path, its body where it has one, and what the call sets for itself.
 * @internal Not of the package.
 */
export function bindOperations(client: ContractClient) {
  return {
${methods.join('\n')}
  };
}
`;
}
