/** Reads recordings item by item: files, pipes and standard input, also larger than memory. */

import { createReadStream } from 'node:fs';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JSONParser } from '@streamparser/json';
import { Malformed, RecordingError } from './raw.js';

export interface Source {
  /** Its name in errors. */
  readonly name: string;
  /** The signal ends reading with an error. */
  open(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

const pieceBytes = 1024 * 1024;

/** A file; `-` is standard input. */
export const fileSource = (file: string): Source =>
  file === '-'
    ? { name: 'standard input', open: (signal) => (signal ? addAbortSignal(signal, process.stdin) : process.stdin) }
    : {
        name: file,
        open: (signal) => createReadStream(file, { highWaterMark: pieceBytes, ...(signal && { signal }) }),
      };

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
    if (/^\s*\[/.test(begin)) yield* entriesIn(texts, '$.*', name);
    else if (archive.test(begin)) yield* entriesIn(texts, '$.log.entries.*', name);
    else yield* linesIn(texts, name);
  } catch (error) {
    if (signal?.aborted) return;
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(`${name} ${inWords(error as NodeJS.ErrnoException)}`);
  }
}

/** How many characters decide what a file is. */
const beginning = 1024;
/** HAR 1.2: the root has one member. Some tools put others before it. */
const archive = /^\s*\{[^{[]*"log"\s*:\s*\{/;

async function* entriesIn(texts: AsyncIterable<string>, path: string, name: string): AsyncGenerator<Item> {
  const values: unknown[] = [];
  let number = 0;
  // With an empty separator, another HAR may follow.
  const parser = new JSONParser({ paths: [path], keepStack: false, separator: '' });
  parser.onValue = ({ value }) => values.push(value);
  for await (const text of texts) {
    const isJson = isDone(() => parser.write(text));
    for (const value of values.splice(0)) {
      number += 1;
      yield { place: `${name}: entry ${number}`, value: () => value };
    }
    if (!isJson) throw new RecordingError(`${name}: entry ${number + 1} is not JSON.`);
  }
  if (!isDone(() => parser.end()))
    throw new RecordingError(`${name} does not end as a HAR does (complete entries: ${number}).`);
}

/** Hides the error of the parser: it repeats the text, which may contain a key. */
function isDone(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
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
  const [head, bytes] = await peek(open(signal), 2, (all) => Buffer.concat(all));
  const [first, second] = head;
  if (`${head}`.startsWith('PK'))
    throw new RecordingError(
      `${name} is a ZIP archive: unpack it, and name the .har in it. (Playwright packs what it records into a name that ends in .zip; with recordHar: { path: 'session.har', content: 'embed' } it does not, and the bodies are in it.)`,
    );
  const isGzip = first === 0x1f && second === 0x8b;
  const plain = isGzip ? pipeline(Readable.from(bytes), createGunzip({ chunkSize: pieceBytes }), () => {}) : bytes;
  let decoder: TextDecoder | undefined;
  for await (const chunk of plain) {
    decoder ??= new TextDecoder(marks[`${chunk[0]} ${chunk[1]}`]);
    yield decoder.decode(chunk, { stream: true });
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
