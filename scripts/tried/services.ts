/** Services that differ from the reference service in one answer or request of an operation. */

import { addressOf } from '../../conformance/engine/http/address.js';
import type { Transport, WireRequest, WireResponse } from '../../conformance/engine/http/transport.js';
import { isFields } from '../../conformance/engine/outcome/read.js';
import type { OperationId } from '../../generated/operations.js';

export type Between = (service: Transport) => Transport;

const asking =
  (id: OperationId, change: (request: WireRequest) => WireRequest): Between =>
  (service) =>
  (request) =>
    service(addressOf(request.method, request.url)?.operation === id ? change(request) : request);

const answering =
  (id: OperationId, change: (answer: WireResponse) => WireResponse): Between =>
  (service) =>
  async (request) => {
    const answer = await service(request);
    return addressOf(request.method, request.url)?.operation === id ? change(answer) : answer;
  };

function fieldsOf(text = ''): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

/** Ignores a parameter of the query. */
export const ignoringParameter = (id: OperationId, name: string): Between =>
  asking(id, (request) => {
    const url = new URL(request.url);
    url.searchParams.delete(name);
    return { ...request, url: url.href };
  });

/** Ignores a field of the body, or if `beside` is given, ignores it only beside that one. */
export const ignoringField = (id: OperationId, name: string, beside?: string): Between =>
  asking(id, (request) => {
    const { [name]: ignored, ...rest } = fieldsOf(request.body);
    const isMeant = ignored !== undefined && (beside === undefined || beside in rest);
    return isMeant ? { ...request, body: JSON.stringify(rest) } : request;
  });

/** Changes a field of each answer; undefined leaves it out. */
export const changingField = (id: OperationId, name: string, change: (value: unknown) => unknown): Between =>
  answering(id, (answer) => {
    const fields = fieldsOf(new TextDecoder().decode(answer.bytes));
    if (!(name in fields)) return answer;
    const bytes = new TextEncoder().encode(JSON.stringify({ ...fields, [name]: change(fields[name]) }));
    const { 'content-length': _, ...headers } = answer.headers;
    return { ...answer, headers, bytes };
  });

/** Does not know one of the paths. */
export const withoutPath =
  (path: string): Between =>
  (service) =>
  async (request) =>
    addressOf(request.method, request.url)?.path === path
      ? {
          status: 404,
          headers: { 'content-type': 'application/json' },
          bytes: new TextEncoder().encode('{"code":404,"message":"There is no such path."}'),
        }
      : service(request);
