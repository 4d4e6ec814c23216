/** The HTTP application: routes requests to operations, and writes their answers. */

import { Hono, type Context as HonoContext } from 'hono';
import { cors } from 'hono/cors';
import { type OperationId, operations } from '../generated/operations.js';
import { routes } from './address.js';
import type { Answer, Call } from './call.js';
import { type DisturbanceName, disturbed } from './disturbances.js';
import { problemOf, Refusal } from './errors.js';
import { createPerformer } from './http/perform.js';
import { errorAnswer, rateLimitHeaders, toResponse } from './http/respond.js';
import { toConsole } from './mistakes.js';
import type { Service, ServiceOptions } from './service.js';

export interface AppOptions extends Pick<ServiceOptions, 'report'> {
  /** Path before those of the contract, such as a gateway's `/gateway`. Default: none. */
  readonly basePath?: string;
  /** Delay of every request, in milliseconds. Default: 0. */
  readonly latencyMs?: number;
  /**
   * How many replicas answer requests, over one store; each but the first may be a second behind. The faults are then those
   * of the first alone, and not of what moves executions on. Default: no replicas.
   */
  readonly replicas?: number;
  /** Whether browsers of any origin may call. Default: false. */
  readonly cors?: boolean;
  /** Disturbances by name: what a gateway or the network does to its answers. Default: none. */
  readonly disturbances?: readonly DisturbanceName[];
  /**
   * Wraps the service, as a gateway would: every request goes to the app that it returns.
   *
   * @internal
   */
  readonly front?: (app: App) => App;
}

export type App = (request: Request) => Response | Promise<Response>;

/** The service over HTTP: a function from a request to its response. It rejects only with a BrokenConnection. */
export function createApp(service: Service, options: AppOptions): App {
  const { behaviour, choices, clock } = service;
  const { basePath = '', latencyMs = 0, report = toConsole, disturbances = [] } = options;
  const perform = createPerformer(service);
  const always = rateLimitHeaders[choices['rate-limit-headers']];
  const app = new Hono();
  const send = (operation: OperationId | undefined, answer: Answer): Response =>
    toResponse(behaviour.serialise(operation, answer), answer, always);

  const refuse = (operation: OperationId | undefined, error: unknown, path: string): Answer => {
    if (!(error instanceof Refusal)) report(error);
    return errorAnswer(behaviour, operation, problemOf(operation, error, path));
  };

  async function serve(operation: OperationId, { req }: HonoContext): Promise<Response> {
    const { origin, path, query } = splitUrl(req.raw.url);
    const call: Call = behaviour.receive({
      operation,
      method: req.method,
      path,
      origin: origin + basePath,
      id: req.param(operations[operation].pathParameters[0] ?? '') ?? '',
      query: new URLSearchParams(query),
      headers: req.raw.headers,
    });
    if (latencyMs > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, latencyMs));
    const answer = await perform(call, req.raw).catch((error: unknown) => refuse(operation, error, path));
    return send(operation, behaviour.answer(call, answer));
  }

  function download({ req }: HonoContext): Response {
    const [runId = '', fileId] = [req.param('runId'), req.param('fileId')];
    for (const { runs } of service.store.organizations.values()) {
      const file = runs.get(runId)?.files.find(({ id }) => id === fileId);
      if (file) return new Response(file.text, { headers: { 'Content-Type': file.mimeType ?? 'text/plain' } });
    }
    return send(undefined, refuse(undefined, new Refusal(404, 'The file was not found.'), req.path));
  }

  function refuseMethod([operation, ...others]: [OperationId, ...OperationId[]], { req }: HonoContext): Response {
    const refusal = new Refusal(choices['unsupported-method'], `${req.method} is not possible here.`);
    // No operation has this method, so the answer need not have a status that an operation lists.
    const answer = errorAnswer(behaviour, operation, problemOf(undefined, refusal, splitUrl(req.raw.url).path));
    const headers =
      answer.status === 405 ? { Allow: [operation, ...others].map((id) => operations[id].method).join(', ') } : {};
    return send(operation, { ...answer, headers });
  }

  // Browsers that send cookies along take no `*`, and hide other headers of an answer from a page.
  if (options.cors)
    app.use(
      '*',
      cors({ origin: (origin) => origin, credentials: true, exposeHeaders: ['Date', 'Retry-After', 'Allow'] }),
    );
  const byPath = new Map<string, [OperationId, ...OperationId[]]>();
  for (const { operation, path } of routes) {
    const shape = basePath + path.replaceAll(/\{(\w+)\}/g, ':$1');
    byPath.set(shape, [...(byPath.get(shape) ?? []), operation] as [OperationId]);
  }
  // One handler for each path: Hono runs a single handler without building a chain.
  for (const [path, ids] of byPath)
    app.all(path, (context) => {
      const method = context.req.method === 'HEAD' ? 'GET' : context.req.method;
      const operation = ids.find((id) => operations[id].method === method);
      return operation ? serve(operation, context) : refuseMethod(ids, context);
    });
  app.get(`${basePath}/files/:runId/:fileId`, download);
  app.notFound(({ req }) =>
    send(undefined, refuse(undefined, new Refusal(404, `There is no ${req.path} here.`), req.path)),
  );
  app.onError((error, { req }) => send(undefined, refuse(undefined, error, req.path)));

  return disturbed((request) => app.fetch(request), disturbances);
}

/** Splits `http://host/path?query` into three, without decoding. */
function splitUrl(url: string): { origin: string; path: string; query: string } {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  const [beforeHash = ''] = url.slice(slash).split('#');
  const end = beforeHash.indexOf('?');
  const path = end < 0 ? beforeHash : beforeHash.slice(0, end);
  return { origin: url.slice(0, slash), path, query: beforeHash.slice(path.length + 1) };
}
