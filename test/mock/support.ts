import { type OperationId, operations } from '../../generated/operations.js';
import { responseExamples, withExamples } from '../../mock/examples.js';
import type { Mock } from '../../mock/index.js';

export interface Call {
  body?: unknown;
  headers?: Record<string, string>;
  /** Without it the operation's own key header is sent. */
  keyless?: boolean;
}

/** Calls an operation of the mock with the ids of the contract's examples. */
export async function call(mock: Mock, id: OperationId, { body, headers = {}, keyless = false }: Call = {}) {
  const { method, path, keyHeader, requestBody } = operations[id];
  const url = mock.url + withExamples(mock.document, path);
  const sent = body ?? (requestBody === 'none' ? undefined : {});
  const response = await fetch(url, {
    method,
    headers: {
      ...(keyless ? {} : { [keyHeader]: 'any' }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), path: new URL(url).pathname };
}

export const firstSuccess = (mock: Mock, id: OperationId) =>
  responseExamples(mock.document, id).find(({ status }) => status < 300);
