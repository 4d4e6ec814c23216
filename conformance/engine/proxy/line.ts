import { unpacked } from '../http/body.js';
import { mostBytes } from '../recording/raw.js';
import type { Passed, PassedMessage } from './passed.js';

/** What passed, in the form of a line of a recording. Keys are in it still. */
export function lineOf({ at, durationMs, request, response, failure }: Passed) {
  const { method, url, ...asked } = request;
  const { body, ...headers } = messageOf(asked);
  const question = { ...headers, body: body.kind === 'unreadable' ? { kind: 'lost' } : body };
  const whole = response && messageOf(response);
  const isUnreadable = whole?.body.kind === 'unreadable';
  return {
    at,
    durationMs,
    request: { method, url, ...question },
    ...(response && !isUnreadable && { response: { status: response.status, ...whole } }),
    ...(isUnreadable && { failure: { kind: 'broken', message: 'The body is not packed as Content-Encoding says.' } }),
    ...(failure && { failure }),
  };
}

function messageOf({ headers, body }: PassedMessage) {
  const all: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index]?.toLowerCase(), headers[index + 1]];
    all[name] = all[name] === undefined ? value : `${all[name]}, ${value}`;
  }
  return { headers: all, body: bodyOf(body, all['content-encoding']) };
}

function bodyOf(body: Uint8Array | undefined, encoding = '') {
  if (!body) return { kind: 'lost' };
  const bytes = unpacked(body, encoding, mostBytes);
  if (!(bytes instanceof Uint8Array)) return { kind: bytes.why === 'unreadable' ? 'unreadable' : 'lost' };
  return { kind: 'text', text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() };
}
