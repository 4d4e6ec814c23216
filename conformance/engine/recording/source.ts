/** Reads recordings item by item: files, pipes and standard input, also larger than memory. */

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { pipe } from 'stream-chain/utils/pipe.js';
import { pick } from 'stream-json/core/filters/pick.js';
import { jsonParser } from 'stream-json/core/parser.js';
import { streamArray } from 'stream-json/core/streamers/stream-array.js';
import { type Fields, isFields } from '../outcome/read.js';
import { Malformed, mostBytes, RecordingError } from './raw.js';

export interface Source {
  /** Its name in errors. */
  readonly name: string;
  /** Where bodies lie that a HAR keeps in files of their own. */
  readonly folder?: string;
  /** The signal ends reading with an error. */
  open(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** A file; `-` is standard input. */
export const fileSource = (file: string): Source =>
  file === '-'
    ? { name: 'standard input', open: (signal) => (signal ? addAbortSignal(signal, process.stdin) : process.stdin) }
    : { name: file, folder: dirname(file), open: (signal) => createReadStream(file, signal && { signal }) };

export interface Item {
  /** Where it is, as the subject of an error. */
  readonly place: string;
  /** Throws a `Malformed` if it is not JSON. */
  value(): unknown;
}

/**
 * The entries of a HAR or of a list of entries, else the lines of NDJSON. The beginning decides which it is. Stops when
 * the signal aborts. Throws a RecordingError for what cannot be read.
 */
export async function* itemsIn(source: Source, signal?: AbortSignal): AsyncGenerator<Item> {
  const { name } = source;
  try {
    const [begin, texts] = await peek(textsIn(source, signal), beginning, (all) => all.join(''));
    const isArchive = archive.test(begin);
    if (isArchive || /^\s*\[/.test(begin)) yield* entriesIn(texts, isArchive, source);
    else yield* linesIn(texts, name);
  } catch (error) {
    // If the user stopped reading, an unfinished item is no error.
    if (!signal?.aborted) throw error;
  }
}

/** How many characters decide what a file is. */
const beginning = 1024;
/** HAR 1.2: the root has one member. Some tools put others before it. */
const archive = /^\s*\{[^{[]*"log"\s*:\s*\{/;

async function* entriesIn(
  texts: AsyncIterable<string>,
  isArchive: boolean,
  { name, folder }: Source,
): AsyncGenerator<Item> {
  // Another HAR may follow.
  const parser = jsonParser({ jsonStreaming: true, streamValues: false });
  const picked = isArchive ? [pick({ filter: 'log.entries' })] : [];
  const entries = pipe(() => texts, parser, ...picked, streamArray())<{ readonly value: unknown }>();
  let number = 0;
  try {
    for await (const { value } of entries) {
      number += 1;
      // A copy: texts of the parser would keep the piece of the file in memory that they were cut from.
      yield { place: `${name}: entry ${number}`, value: () => withFiles(JSON.parse(JSON.stringify(value)), folder) };
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(
      `${name} is not JSON to its end, or lacks a list of entries (complete entries: ${number} or more).`,
    );
  }
}

/** Playwright, `content: 'attach'`: a body lies in a file beside the HAR. What cannot be read is left out, as not recorded. */
function withFiles(entry: unknown, folder: string | undefined): unknown {
  const { request, response }: Fields = isFields(entry) ? entry : {};
  for (const body of [isFields(request) && request.postData, isFields(response) && response.content]) {
    if (folder === undefined || !isFields(body) || typeof body._file !== 'string' || 'text' in body) continue;
    const { _file: file } = body;
    try {
      if (file === basename(file) && statSync(join(folder, file)).size < mostBytes)
        Object.assign(body, { text: readFileSync(join(folder, file)).toString('base64'), encoding: 'base64' });
    } catch {}
  }
  return entry;
}

/** Larger than any exchange worth recording. It bounds what is read of a line without an end. */
const mostCharacters = 256 * 1024 * 1024;

async function* linesIn(texts: AsyncIterable<string>, name: string): AsyncGenerator<Item> {
  let [number, length] = [0, 0];
  let begun: string[] = [];
  function* read(lines: readonly string[]): Generator<Item> {
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '') yield { place: `${name}:${number}: the line`, value: () => parsed(line) };
    }
  }
  for await (const text of texts) {
    const [first = '', ...more] = text.split('\n');
    const rest = more.pop();
    begun.push(first);
    length += first.length;
    if (length > mostCharacters)
      throw new RecordingError(`${name}:${number + 1}: the line is larger than 256 million characters.`);
    if (rest === undefined) continue;
    yield* read([begun.join(''), ...more]);
    [begun, length] = [[rest], rest.length];
  }
  yield* read([begun.join('')]);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    // The rest of the message repeats the text, which may contain a key.
    const [place] = /position \d+/.exec((error as Error).message) ?? [];
    throw new Malformed(`it is not JSON${place ? ` (at ${place})` : ''}`);
  }
}

/** The text of a recording, decompressed if it is gzip, whatever the file name; as UTF-16 if a BOM says so. */
async function* textsIn({ name, open }: Source, signal?: AbortSignal): AsyncGenerator<string> {
  try {
    const [head, bytes] = await peek(open(signal), 2, (all) => Buffer.concat(all));
    if (`${head}`.startsWith('PK'))
      throw new RecordingError(
        `${name} is a ZIP archive: unpack it, and name the .har in it. (Playwright packs what it records into a name that ends in .zip; with recordHar: { path: 'session.har', content: 'embed' } it does not, and the bodies are in it.)`,
      );
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    let decoder: TextDecoder | undefined;
    for await (const chunk of isGzip ? pipeline(Readable.from(bytes), createGunzip(), () => {}) : bytes) {
      decoder ??= new TextDecoder(marks[`${chunk[0]} ${chunk[1]}`]);
      yield decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(`${name} ${inWords(error as NodeJS.ErrnoException)}`);
  }
}

/** Encodings by their byte order mark. PowerShell's `>` writes UTF-16. */
const marks: Readonly<Record<string, string>> = { '255 254': 'utf-16le', '254 255': 'utf-16be' };

/** The beginning, joined to at least this length, and the whole. */
async function peek<Chunk extends { readonly length: number }>(
  chunks: AsyncIterable<Chunk>,
  least: number,
  join: (chunks: Chunk[]) => Chunk,
): Promise<[Chunk, AsyncIterable<Chunk>]> {
  const rest = chunks[Symbol.asyncIterator]();
  let head = join([]);
  while (head.length < least) {
    const { done, value } = await rest.next();
    if (done) break;
    head = join([head, value]);
  }
  async function* all() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return [head, all()];
}

function inWords({ code = '', message }: NodeJS.ErrnoException): string {
  const byCode: Record<string, string> = {
    ENOENT: 'does not exist.',
    EISDIR: 'is a folder; name the recordings in it.',
    EACCES: 'cannot be read: permission denied.',
    Z_BUF_ERROR: 'ends in the middle of its gzip data.',
    Z_DATA_ERROR: 'contains damaged gzip data.',
  };
  return byCode[code] ?? `cannot be read: ${message}.`;
}
