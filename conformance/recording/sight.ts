import { backslash, eachMember, quote } from './json-bytes.js';

/** What can be told of an exchange at a glance, before it is parsed: by this it is put in order, and handed on. */
export interface Sight {
  /** Empty where there is none to be seen: whoever parses it says what is wrong. */
  readonly method: string;
  readonly url: string;
  /** When it began, and when it was over, in milliseconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
}

/** A recorder writes these names without escapes, and each once. */
export function sightOf(bytes: Buffer): Sight {
  let [method, url]: unknown[] = [];
  const seen: Record<string, unknown> = {};
  const isTimed = () =>
    (seen.startedDateTime !== undefined && seen.time !== undefined) ||
    (seen.at !== undefined && seen.durationMs !== undefined);
  eachMember(bytes, 0, (name, value, end) => {
    if (name === 'request')
      eachMember(bytes, value, (inner, place, over) => {
        if (inner === 'method') method = scalar(bytes, place, over());
        else if (inner === 'url') url = scalar(bytes, place, over());
        return method !== undefined && url !== undefined;
      });
    else if (name === 'startedDateTime' || name === 'time' || name === 'at' || name === 'durationMs')
      seen[name] = scalar(bytes, value, end());
    return url !== undefined && isTimed();
  });
  const from = instantOf(seen.startedDateTime ?? seen.at);
  const lasted = seen.startedDateTime === undefined ? seen.durationMs : seen.time;
  return {
    method: typeof method === 'string' ? method : '',
    url: typeof url === 'string' ? url : '',
    ...(from !== undefined && { from, to: from + (typeof lasted === 'number' && lasted > 0 ? lasted : 0) }),
  };
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
