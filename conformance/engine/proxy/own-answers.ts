/** What the proxy says itself, where the service says nothing. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { diagnosis } from '../http/diagnosis.js';
import type { Passed } from './passed.js';

/** Tells the proxy's own answers from the service's. */
export const ownAnswerHeader = 'X-Workflow-Contract-Proxy';

/** What Node calls headers beyond it. */
const tooLong = 'HPE_HEADER_OVERFLOW';

/** Answers what is no request, without the service. */
export function refuse(socket: Socket, { code }: NodeJS.ErrnoException): void {
  if (!socket.writable || code === 'ECONNRESET') socket.destroy();
  else if (code === tooLong) refuseBy(socket, '431 Request Header Fields Too Large', 'too-large');
  else refuseBy(socket, '400 Bad Request', 'not-http');
}

export function refuseBy(socket: Socket, status: string, reason: string): void {
  socket.end(`HTTP/1.1 ${status}\r\n${ownAnswerHeader}: ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

export const timedOut = Object.assign(new Error('No answer came in time.'), { code: 'TIMED_OUT' });

/** What Node reads, and nobody may send: a status below 100, a reason with control characters in it. */
export const nonsense = Object.assign(new Error('What was answered is not HTTP.'), { code: 'HPE_NONSENSE' });

export const isNonsense = ({ code = '' }: NodeJS.ErrnoException): boolean => code.startsWith('HPE_');

export function failureOf(error: NodeJS.ErrnoException): NonNullable<Passed['failure']> {
  const { code = '' } = error;
  if (error === timedOut) return { kind: 'timeout', message: 'No answer came in time.' };
  if (code === tooLong) return { kind: 'broken', message: 'The headers of the answer are larger than 256 KB.' };
  if (isNonsense(error)) return { kind: 'broken', message: 'What was answered is not HTTP.' };
  if (code === 'ECONNRESET' || code === 'EPIPE') return { kind: 'broken', message: 'The connection broke.' };
  const [, why] = diagnosis(error);
  return { kind: 'unreachable', message: `The service could not be reached: ${why}` };
}

export function answerItself(
  response: ServerResponse,
  status: number,
  { kind, message }: { kind: string; message: string },
): void {
  const body = JSON.stringify({ code: status, message });
  response.writeHead(status, STATUS_CODES[status], {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    [ownAnswerHeader]: kind,
    Connection: 'close',
  });
  response.end(body);
}
