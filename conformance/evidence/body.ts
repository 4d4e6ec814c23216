import { createHash } from 'node:crypto';
import type { Body } from '../vocabulary.js';
import { isFields } from './read.js';

const shownText = 2000;
/** Deeper values are cut, so that whoever walks over them later does not run out of stack. */
const deepest = 100;

/** Parses the text of a body. An empty one is no body. */
export function parseBody(text: string, bytes = Buffer.byteLength(text)): Body {
  if (text.trim() === '') return { kind: 'none' };
  try {
    return jsonBody(JSON.parse(text), bytes);
  } catch (error) {
    const shown = text.length > shownText ? `${text.slice(0, shownText)}…` : text;
    return { kind: 'not-json', text: shown, error: (error as Error).message.slice(0, 200), bytes };
  }
}

/** Bytes of a body that a report shows whole. */
const mostShown = 256 * 1024;

/** A body as a report shows it: of a long one its beginning, and a digest by which equal ones are told. */
export function begun(body: Body): Body {
  if (body.kind !== 'json' || body.bytes <= mostShown) return body;
  const text = JSON.stringify(body.value);
  const digest = createHash('sha256').update(text).digest('hex');
  const error = `It was judged whole; a report shows how it begins. SHA-256: ${digest}`;
  return { kind: 'not-json', text: `${text.slice(0, shownText)}…`, error, bytes: body.bytes };
}

/** A body that has been parsed. */
export function jsonBody(value: unknown, bytes: number): Body {
  cut(value);
  return { kind: 'json', value, bytes };
}

/** Does not go deeper than it cuts. */
function cut(value: unknown, depth = 0): void {
  if (!isFields(value) && !Array.isArray(value)) return;
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    const child = fields[key];
    if (typeof child !== 'object' || child === null) continue;
    if (depth < deepest) cut(child, depth + 1);
    else fields[key] = '…';
  }
}
