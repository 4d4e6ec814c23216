/** Recordings made by hand. */
import type { PassedExchange } from '../../conformance/engine/proxy/passing.js';
import { judgeRecordings, type RecordingOptions } from '../../conformance/engine/recording/pipeline.js';
import type { RecordedRun } from '../../conformance/engine/recording/recorded-run.js';
import type { Source } from '../../conformance/engine/recording/source.js';
import { ids } from './evidence.js';

/** A recording that is read in pieces of this many bytes. */
export function source(content: string | Uint8Array, pieceBytes = 1000, name = 'a.har'): Source {
  const bytes = Buffer.from(content as Uint8Array);
  return {
    name,
    async *open() {
      for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
    },
  };
}

export const judged = (content: string | Uint8Array, options: RecordingOptions = {}): Promise<RecordedRun> =>
  judgeRecordings([source(content)], options);

export const harOf = (...entries: readonly unknown[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } });

export const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

const api = 'https://api.example.com/agents/v2';
const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

export interface EntrySketch {
  readonly method?: string;
  readonly url?: string;
  readonly at?: string;
  readonly time?: number;
  readonly sent?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly body?: unknown;
  /** Overrides for parts of the entry. */
  readonly request?: object;
  readonly response?: object;
  readonly content?: object;
  readonly more?: object;
}

/** An entry of a HAR file in short form; by default a reading of a running execution. */
export function entry(sketch: EntrySketch = {}) {
  const { method = 'GET', status = 200 } = sketch;
  const text = JSON.stringify(sketch.body ?? running);
  return {
    startedDateTime: sketch.at ?? '2026-03-02T12:00:00.500Z',
    time: sketch.time ?? 20,
    request: {
      method,
      url: sketch.url ?? `${api}/executions/${ids.execution}`,
      headers: pairs({ 'X-Service-Agents-Api-Key': 'a-secret-key', ...sketch.headers }),
      bodySize: sketch.sent === undefined ? 0 : JSON.stringify(sketch.sent).length,
      ...(sketch.sent !== undefined && {
        postData: { mimeType: 'application/json', text: JSON.stringify(sketch.sent) },
      }),
      ...sketch.request,
    },
    response: {
      status,
      headers: pairs({ 'Content-Type': 'application/json' }),
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text, ...sketch.content },
      ...sketch.response,
    },
    ...sketch.more,
  };
}

/** The same as a proxy passes it. */
export function passed(sketch: EntrySketch, at: number): PassedExchange {
  const { method = 'GET', url = `${api}/executions/${ids.execution}`, status = 200, body = running } = sketch;
  const bytes = (value: unknown) => new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value));
  const headers = { 'X-Service-Agents-Api-Key': 'a-secret-key', 'Content-Type': 'application/json', ...sketch.headers };
  return {
    at,
    durationMs: 5,
    request: { method, url, headers: Object.entries(headers).flat(), body: bytes(sketch.sent) },
    response: { status, headers: ['Content-Type', 'application/json'], body: bytes(body) },
  };
}

export const running = {
  id: ids.execution,
  agentId: '00000000-0000-4000-8000-00000000000a',
  agentName: 'Agent',
  organizationId: '00000000-0000-4000-8000-000000000001',
  workflowId: ids.workflow,
  status: 'running',
  createdAt: '2026-03-02T12:00:00.100Z',
  hasBeenRerun: false,
  comments: [],
  humanLabels: [],
};

export const start: EntrySketch = {
  method: 'POST',
  url: `${api}/workflows/${ids.workflow}/execute`,
  at: '2026-03-02T12:00:00.000Z',
  sent: { inputs: { a: 1 } },
  status: 202,
  body: { executionId: ids.execution, status: 'starting' },
};
