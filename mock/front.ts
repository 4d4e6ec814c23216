/** A proxy in front of Prism: answers what Prism cannot handle, and puts its errors into the contract's bodies. */

import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { isJsonType } from '../common/values.js';
import { operationIds } from '../generated/operations.js';
import { responseValidator } from '../generated/validators.js';
import { errorBody, isErrorBody } from './errors.js';
import { type MockDocument, type NamedExample, responseExamples } from './examples.js';
import { completePreference, responseOf } from './prefer.js';
import type { Prism } from './prism.js';
import { isDecodable, type Route, routesOf, splitTarget } from './route.js';

/** The largest body, in bytes, that Prism accepts. */
export const bodyLimit = 10 * 1024 * 1024;

/** How often to ask Prism for a valid answer. Of its generated executions, seven in ten violate the contract. */
const attempts = 20;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer | string;
}

/** Creates the handler in front of Prism. */
export function front(prism: Prism, document: MockDocument, basePath: string) {
  const examples = new Map(operationIds.map((id) => [id, responseExamples(document, id)]));

  /** Answers a request. Rejects only if the client has disconnected. */
  return async (request: IncomingMessage): Promise<Answer> => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await read(request, bodyLimit);
    const target = splitTarget(url, basePath);
    const routes = routesOf(target?.path ?? '');
    const route = routes.get(method);
    const instance = url.split('?', 1)[0] ?? url;
    const refuse = (status: number, message: string) =>
      refusal(route ?? [...routes.values()][0], status, message, instance);

    if (!target || routes.size === 0) return refuse(404, `The contract has no path ${instance}.`);
    if (!isDecodable(target.path)) return refuse(400, 'The path is not valid percent-encoding.');
    if (!route && method !== 'OPTIONS') {
      const allow = [...routes.keys()].join(', ');
      const answer = refuse(405, `${instance} takes ${allow}.`);
      return { ...answer, headers: { ...answer.headers, allow } };
    }
    const keyed = route === undefined || headers[route.operation.keyHeader.toLowerCase()] !== undefined;
    if (keyed && body === undefined) return refuse(413, `The body is over ${bodyLimit} bytes.`);
    let prefer = headers.prefer && String(headers.prefer);
    if (route && prefer) {
      const completed = completePreference(
        prefer,
        examples.get(route.id) ?? [],
        Object.keys(route.operation.responses),
      );
      if (completed.problem !== undefined) return refuse(400, completed.problem);
      prefer = completed.prefer;
    }
    try {
      // Without a key the answer is 401 whatever the body is, so do not send one that Prism may fail to read.
      const ask = async () =>
        forward(await prism.origin(), method, target, keyed ? body : undefined, { ...headers, prefer });
      if (!route) return await ask();
      for (let attempt = 1; ; attempt += 1) {
        const answer = inTheContractsWords(await ask(), route, instance);
        if (isValid(answer, route)) return answer;
        // Prism generates each field independently, so fields may contradict each other: ask again.
        if (attempt === attempts) return exampleFor(answer, route, examples.get(route.id) ?? [], instance);
      }
    } catch (error) {
      return refuse(500, `The mock has no answer from Prism (${(error as Error).message}).`);
    }
  };
}

/** Reads the whole body. If it exceeds the limit, reads it to its end all the same, and returns undefined. */
async function read(message: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

// Headers of the connection, headers that are set anew, and `accept`, which can crash Prism.
const notForwarded = ['host', 'connection', 'keep-alive', 'te', 'transfer-encoding', 'expect', 'upgrade', 'accept'];

function forward(
  origin: string,
  method: string,
  { path, query }: { path: string; query: string },
  body: Buffer | undefined,
  incoming: IncomingHttpHeaders,
): Promise<Answer> {
  const headers = Object.fromEntries(
    Object.entries(incoming).filter(([name, value]) => value !== undefined && !notForwarded.includes(name)),
  );
  // Prism crashes on media types and character sets that it cannot read.
  if (headers['content-type'] !== undefined)
    headers['content-type'] = isJsonType(String(headers['content-type']))
      ? 'application/json'
      : 'application/octet-stream';
  headers['content-length'] = String(body?.length ?? 0);
  return new Promise((resolve, reject) => {
    const outgoing = send(`${origin}${path}${query}`, { method, headers }, async (response) => {
      try {
        const answered = (await read(response, Number.POSITIVE_INFINITY)) ?? '';
        resolve({ status: response.statusCode ?? 502, headers: response.headers, body: answered });
      } catch (error) {
        reject(error);
      }
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * Puts Prism's own errors into the contract's error body; error bodies from examples get the status and path of this
 * request. Prism also refuses with 415 and 422, with the example of another status, even if the contract lists neither.
 */
function inTheContractsWords({ status: answered, ...rest }: Answer, route: Route, instance: string): Answer {
  const listed = responseValidator(route.id, answered) !== undefined;
  const answer = { ...rest, status: answered < 400 || listed ? answered : 400 };
  if (answer.status < 400) return answer;
  const body = parse(answer.body);
  if (!isErrorBody(body)) {
    const { detail, error } = (body ?? {}) as { detail?: string; error?: { message?: string } };
    const { headers, ...rest } = refusal(route, answer.status, detail ?? error?.message ?? 'Refused.', instance);
    return { ...rest, headers: { ...answer.headers, ...headers } };
  }
  const here = {
    code: answer.status,
    ...(body.status !== undefined && { status: answer.status }),
    ...(body.instance !== undefined && { instance }),
  };
  return { ...answer, body: JSON.stringify({ ...body, ...here }) };
}

/** Whether an answer is valid by the contract. For a status that is not listed, nothing is required. */
const isValid = ({ status, body }: Answer, { id }: Route): boolean =>
  responseValidator(id, status)?.(parse(body)) ?? true;

/** Replaces an answer that violates the contract by the first example of its status. */
function exampleFor(answer: Answer, route: Route, examples: readonly NamedExample[], instance: string): Answer {
  const statuses = Object.keys(route.operation.responses);
  const of = (status: number) => responseOf(statuses, String(status));
  const example = examples.find(({ status }) => of(status) === of(answer.status));
  if (!example)
    return refusal(route, 500, `Prism's ${attempts} answers violate the contract, which has no example.`, instance);
  const { 'content-type': type = 'application/json', ...headers } = answer.headers;
  const note = `the example ${example.name}, since ${attempts} made-up answers broke the contract`;
  const body = JSON.stringify(example.value);
  return inTheContractsWords(
    { ...answer, headers: { ...headers, 'content-type': type, 'mock-answer': note }, body },
    route,
    instance,
  );
}

function refusal(route: Route | undefined, status: number, message: string, instance: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    body: JSON.stringify(errorBody(route?.operation.errorBody, status, message, instance)),
  };
}

function parse(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
