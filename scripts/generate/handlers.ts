import type { Operation } from './document.js';
import { source } from './text.js';

export function handlersModule(operations: Operation[]): string {
  const methods = operations.map((operation) => {
    const answers = operation.responses.filter(({ success }) => success).map(answerOf);
    return `  /** ${operation.summary} */
  ${operation.id}(request: { ${requestOf(operation).join('; ')} }, context: Context): Promise<${answers.join(' | ')}>;`;
  });
  const bodies = operations.flatMap(({ request, responses }) => [
    request?.body?.type,
    ...responses.map(({ success, body }) => (success ? body?.type : undefined)),
  ]);
  const named = bodies.filter((type) => type !== undefined && /^\w+$/.test(type) && type !== 'unknown');
  const imported = new Set([
    ...named,
    ...(methods.some((text) => text.includes("operations['")) ? ['operations'] : []),
  ]);
  return `import type { ${[...imported].sort().join(', ')} } from './types.js';

/** The possible success statuses where the interface leaves the status open. */
export type SuccessStatus = 200 | 201 | 202 | 204;

/**
 * What a service of this contract implements: a method for each operation. It gets a valid request and resolves to one
 * of the operation's success answers. To refuse a request, it throws an error of the service's own.
 */
export interface Handlers<Context> {
${methods.join('\n')}
}
`;
}

/** The argument of a handler: the path parameters by name, then query and body if there are any. */
function requestOf({ id, parameters, request }: Operation): string[] {
  const of = (place: string) => parameters.filter((one) => one.in === place);
  const body = [request?.body?.type ?? []].flat();
  if (request && !request.required) body.push('undefined');
  return [
    ...of('path').map(({ name }) => `${source(name)}: string`),
    ...(of('query').length > 0 ? [`query: NonNullable<operations['${id}']['parameters']['query']>`] : []),
    ...(request ? [`body: ${body.join(' | ')}`] : []),
  ];
}

/** The answer for a success: with JSON, or without content. */
function answerOf({ status, mediaTypes, body, headers: all }: Operation['responses'][number]): string {
  const exact = /^\d+$/.test(status);
  const headers = all.flatMap(({ name, required }) => (required ? `${source(name)}: string` : [])).join('; ');
  const start = `status: ${exact ? status : 'SuccessStatus'}${headers && `; headers: { ${headers} }`}`;
  if (mediaTypes.length === 0) return `{ ${start}${exact ? '' : '; body?: unknown'} }`;
  return `{ ${start}; ${!body || body.type === 'unknown' ? 'body?: unknown' : `body: ${body.type}`} }`;
}
