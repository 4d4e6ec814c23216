/** Reads the items of recordings: entries of a HAR, or lines. */

import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mayBeOfContract } from '../http/address.js';
import { type Fields, isFields } from '../outcome/read.js';
import { epochMs, mostBytes, RecordingError } from './har.js';
import { bytesOf, type Item, Misplaced, type Source, Splitter } from './source.js';

interface Read {
  /** The parsed item, or a RecordingError if it is not JSON. */
  readonly value: unknown;
  /** Makes an error that names the place of the item. */
  wrong(what: string): RecordingError;
}

interface Turn extends Read {
  readonly id: number;
}

/** The beginning and end of an exchange, in milliseconds since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reads sources one after another. The names of those that are not in the order of time are added to `unsorted`. */
export async function* itemsIn(
  sources: readonly Source[],
  unsorted: Set<string>,
  signal?: AbortSignal,
): AsyncGenerator<Turn> {
  let id = 0;
  for (const source of sources) {
    let latest = Number.NEGATIVE_INFINITY;
    for await (const item of itemsOf(source, signal)) {
      const span = isOwn(item.value) ? spanOf(item.value) : undefined;
      if (span && span.to < latest) unsorted.add(source.name);
      latest = Math.max(latest, span?.from ?? latest);
      id += 1;
      yield { id, ...item };
    }
  }
}

/** Reads one source. Throws a RecordingError that names the place. */
async function* itemsOf(source: Source, signal: AbortSignal | undefined): AsyncGenerator<Read> {
  const splitter = new Splitter();
  const located = (number: number, what: string) => {
    const place = splitter.unit === 'entry' ? `: entry ${number}` : `:${number}: the line`;
    return new RecordingError(`${source.name}${number === 0 ? '' : place} ${what}`);
  };
  function* read(cut: () => readonly Item[]): Generator<Read> {
    let items: readonly Item[];
    try {
      items = cut();
    } catch (error) {
      throw error instanceof Misplaced ? located(error.number, error.message) : error;
    }
    for (const { bytes, number } of items) {
      const wrong = (what: string) => located(number, what);
      yield { value: withFiles(parsed(bytes, wrong), source.folder), wrong };
    }
  }
  for await (const chunk of bytesOf(source, signal)) yield* read(() => splitter.push(chunk));
  // If the user stopped reading, an unfinished item is no error.
  if (!signal?.aborted) yield* read(() => splitter.end());
}

function parsed(bytes: Buffer, wrong: Read['wrong']): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    // The rest of the message repeats the text, which may contain a key.
    const [place] = /position \d+/.exec((error as Error).message) ?? [];
    return wrong(`is not JSON${place ? ` (at ${place})` : ''}.`);
  }
}

const isOwn = (value: unknown): value is Fields & { readonly request: Fields } =>
  isFields(value) &&
  isFields(value.request) &&
  typeof value.request.url === 'string' &&
  mayBeOfContract(value.request.url);

/** Playwright, `content: 'attach'`: a body lies in a file beside the HAR. Puts it into the entry. */
function withFiles(value: unknown, folder: string | undefined): unknown {
  if (folder === undefined || !isOwn(value)) return value;
  const { request, response } = value;
  for (const body of [request.postData, isFields(response) && response.content])
    if (isFields(body) && typeof body._file === 'string' && !('text' in body)) readInto(body, folder, body._file);
  return value;
}

/** What cannot be read is left out, as what was not recorded. */
function readInto(body: Fields, folder: string, file: string): void {
  const path = join(folder, file);
  try {
    if (file === basename(file) && statSync(path).size < mostBytes)
      Object.assign(body, { text: readFileSync(path).toString('base64'), encoding: 'base64' });
  } catch {}
}

/** The time of a HAR entry, or of a line of this suite. */
function spanOf(value: unknown): Span | undefined {
  if (!isFields(value)) return undefined;
  const [began, lasted] =
    'startedDateTime' in value ? [value.startedDateTime, value.time] : [value.at, value.durationMs];
  const from = epochMs(began);
  if (!Number.isFinite(from)) return undefined;
  return { from, to: from + (typeof lasted === 'number' && lasted > 0 ? lasted : 0) };
}
