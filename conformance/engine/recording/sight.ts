import { backslash, eachMember, named, quote } from './json-bytes.js';
import type { Item } from './splitter.js';

/** What a request asks for. Empty where that is not to be seen: whoever parses it says what is wrong. */
export interface Asked {
  readonly method: string;
  readonly url: string;
}

/** What can be told of an exchange at a glance, before it is parsed: by this it is put in order, and handed on. */
export interface Sight {
  readonly asked: Asked;
  /** When it began, and when it was over, in milliseconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
}

/** Of an exchange: of a HAR the second and the third, of a line the last two. */
const members = ['request', 'startedDateTime', 'time', 'at', 'durationMs'].map(named);
const ofRequest = ['method', 'url'].map(named);
const nothing: Asked = { method: '', url: '' };

/** A recorder writes these names without escapes, and each once. */
export function sightOf({ bytes }: Item): Sight {
  let asked: Asked | undefined;
  let [startedDateTime, time, at, durationMs]: unknown[] = [];
  eachMember(bytes, 0, members, (name, value, end) => {
    if (name === 0) asked ??= askedAt(bytes, value);
    else if (name === 1) startedDateTime = scalar(bytes, value, end());
    else if (name === 2) time = scalar(bytes, value, end());
    else if (name === 3) at = scalar(bytes, value, end());
    else durationMs = scalar(bytes, value, end());
    const isTimed =
      (startedDateTime !== undefined && time !== undefined) || (at !== undefined && durationMs !== undefined);
    return asked !== undefined && asked.url !== '' && isTimed;
  });
  const from = instantOf(startedDateTime ?? at);
  const lasted = startedDateTime === undefined ? durationMs : time;
  return {
    asked: asked ?? nothing,
    ...(from !== undefined && { from, to: from + (typeof lasted === 'number' && lasted > 0 ? lasted : 0) }),
  };
}

/** What the request asks for that begins at this place. */
function askedAt(bytes: Buffer, from: number): Asked {
  let [method, url]: unknown[] = [];
  eachMember(bytes, from, ofRequest, (name, place, over) => {
    if (name === 0) method = scalar(bytes, place, over());
    else url = scalar(bytes, place, over());
    return method !== undefined && url !== undefined;
  });
  return { method: typeof method === 'string' ? method : '', url: typeof url === 'string' ? url : '' };
}

function scalar(bytes: Buffer, from: number, to: number): unknown {
  if (isPlainText(bytes, from, to)) return bytes.toString('latin1', from + 1, to - 1);
  try {
    return JSON.parse(bytes.toString('utf8', from, to));
  } catch {
    return undefined;
  }
}

/** Most are. */
function isPlainText(bytes: Buffer, from: number, to: number): boolean {
  if (bytes[from] !== quote || bytes[to - 1] !== quote) return false;
  for (let place = from + 1; place < to - 1; place += 1) {
    const byte = bytes[place] ?? 0;
    if (byte < 0x20 || byte > 0x7e || byte === backslash) return false;
  }
  return true;
}

function instantOf(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : value;
  return typeof at === 'number' && Number.isFinite(at) ? at : undefined;
}
