import type { Operation } from './document.js';
import { typeImports } from './imports.js';

export function handlersModule(operations: Operation[]): string {
  const methods = operations.map(({ id, summary, pathParameter, request, responses }) => {
    const body = request ? `; body: ${request.type}${request.required ? '' : ' | undefined'}` : '';
    const answers = responses.filter(({ success }) => success).map(answer);
    return `  /** ${summary} */
  ${id}(request: { ${pathParameter}: string${body} }, context: Context): Promise<${answers.join(' | ')}>;`;
  });
  const types = operations.flatMap(({ request, responses }) => [
    request?.type,
    ...responses.map(({ success, body }) => (success ? body?.type : undefined)),
  ]);
  return `${typeImports(types)}
/** Where the interface leaves a success status open. */
export type SuccessStatus = 200 | 201 | 202 | 204;

/**
 * What a service of this contract implements: one method for each operation, which gets a request that satisfies its
 * schema and resolves to one of the operation's success answers. A refusal is thrown; its shape is the service's own.
 */
export interface Handlers<Context> {
${methods.join('\n')}
}
`;
}

function answer({ status, body }: Operation['responses'][number]): string {
  const exact = /^\d+$/.test(status);
  const content = body && body.type !== 'unknown' ? `; body: ${body.type}` : exact && !body ? '' : '; body?: unknown';
  return `{ status: ${exact ? status : 'SuccessStatus'}${content} }`;
}
