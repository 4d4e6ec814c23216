/** Builds exchanges by hand, for the tests of judges. */

import { contract, type Operation, type OperationId } from '../../conformance/engine/contract.js';
import { pathTo } from '../../conformance/engine/http/address.js';
import type { Body, Exchange, Facts, Mark, Response } from '../../conformance/engine/vocabulary.js';
import { samples } from '../../generated/samples.js';

export const ids = {
  workflow: '5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18',
  execution: samples.Execution.full.id,
  profile: 'c3a7e1d9-4b58-4e26-9f17-0d8b6a2c5e94',
  pool: '1f6b9d3c-8e42-47a5-a0c9-5b7e3d1f8a26',
} as const;

const json = (value: unknown): Body =>
  value === undefined ? { kind: 'none' } : { kind: 'json', value, bytes: JSON.stringify(value).length };

export const facts = (more: Partial<Facts> = {}): Facts => ({
  baseUrl: 'http://127.0.0.1:4010',
  stateful: true,
  allow: 'delete',
  workflows: {},
  pace: { requestsPerSecond: 50, concurrency: 8, patienceSeconds: 60, latencyGraceMs: 2000 },
  budget: { executions: 60, copies: 10 },
  ...more,
});

/** An exchange in short form. */
export interface Sketch {
  id?: number;
  operation: OperationId | null;
  resource?: string;
  query?: Readonly<Record<string, string>>;
  sentHeaders?: Readonly<Record<string, string>>;
  sent?: unknown;
  status?: number;
  body?: unknown;
  rawBody?: Body;
  headers?: Record<string, string>;
  repeatsKey?: boolean;
  failure?: Exchange['failure'];
  at?: number;
  durationMs?: number;
  mark?: Partial<Mark>;
  wasRepeated?: true;
  changedByRequest?: true;
}

let count = 0;

/** Puts exchanges in order, one second apart. Their times do not depend on exchanges that were made before. */
export function inOrder(given: readonly (Sketch | Exchange)[]): Exchange[] {
  count = Math.max(0, ...given.flatMap((one) => ('request' in one ? one.id : [])));
  return given.map((one) => ('request' in one ? one : exchange(one)));
}

export function exchange(sketch: Sketch): Exchange {
  const { operation } = sketch;
  const shape: Operation = contract().operations[operation ?? 'getExecution'];
  const known: Readonly<Record<string, string>> = ids;
  const resource = sketch.resource ?? (operation && shape.subject && known[shape.subject]) ?? ids.workflow;
  const body = sketch.rawBody ?? json(sketch.body);
  const response: Response | undefined =
    sketch.status === undefined
      ? undefined
      : {
          status: sketch.status,
          headers: { ...(body.kind === 'none' ? {} : { 'content-type': 'application/json' }), ...sketch.headers },
          body,
          repeatsKey: sketch.repeatsKey ?? false,
        };
  count += 1;
  return {
    id: sketch.id ?? count,
    operation,
    resource: shape.pathParameters.length > 0 ? resource : null,
    at: sketch.at ?? count * 1000,
    durationMs: sketch.durationMs ?? 5,
    request: {
      method: operation ? shape.method : 'PUT',
      url: `http://127.0.0.1:4010${pathTo(shape, { id: resource, query: sketch.query ?? {} })}`,
      headers: sketch.sentHeaders ?? {},
      body: json(sketch.sent),
    },
    ...(response && { response }),
    ...(sketch.failure && { failure: sketch.failure }),
    ...(sketch.mark && { mark: { scenario: 'test', step: 'step', credential: 'primary', ...sketch.mark } }),
    ...(sketch.wasRepeated && { wasRepeated: true }),
    ...(sketch.changedByRequest && { changedByRequest: true }),
  };
}
