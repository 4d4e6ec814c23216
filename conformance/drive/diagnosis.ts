import type { Failure } from '../vocabulary.js';
import { connectTimeoutMs } from './transport.js';

/** What went wrong on the way, in words that say what to look at. */
export function diagnosis(error: unknown): [Failure['kind'], string] {
  const { code = '', message = '', address, port } = rootCause(error);
  // The address tells a proxy from the target.
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code))
    return ['unreachable', `Nothing listens ${address ? `at ${address} port ${port}` : 'there'} (${code}).`];
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return ['unreachable', `The host name does not resolve (${code}).`];
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return ['unreachable', `No connection within ${connectTimeoutMs / 1000} s.`];
  if (code === 'ETIMEDOUT') return ['unreachable', `No connection in time (${code}).`];
  if (/no.application.protocol/i.test(`${code} ${message}`))
    return ['tls', 'What listens there does not speak HTTP/1.1, perhaps HTTP/2 only.'];
  // What answers is no TLS: most often a service of plain HTTP.
  if (/^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST))$/.test(code))
    return ['tls', `What listens there does not speak TLS (${code}); a service of plain HTTP begins with http://.`];
  if (/^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH)/.test(code))
    return ['tls', `The TLS connection failed (${code}). A private authority is named by NODE_EXTRA_CA_CERTS.`];
  return ['broken', `The connection broke (${code || message || 'no reason given'}).`];
}

export interface Cause {
  readonly code?: string;
  readonly message?: string;
  readonly address?: string;
  readonly port?: number;
}

export function rootCause(error: unknown): Cause {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  const deeper = cause ?? errors?.[0];
  return deeper ? rootCause(deeper) : (error as Cause);
}
