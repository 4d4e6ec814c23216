/** Reads the bytes of recordings: files, pipes, standard input, gzip, UTF-16. */

import { closeSync, constants, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { RecordingError } from './har.js';

// Cuts a recording into entries by quotes and brackets, without parsing them: it may be larger than memory, and no
// streaming parser is nearly as fast as JSON.parse. Whether entries are valid JSON is checked later.

export interface Item {
  readonly bytes: Buffer;
  /** The number of the entry or line, from 1. */
  readonly number: number;
}

/** An error at an item of a recording; 0 stands for the recording as a whole. */
export class Misplaced extends Error {
  readonly number: number;
  constructor(number: number, message: string) {
    super(message);
    this.number = number;
  }
}

/** Larger than any entry worth recording. It bounds what is read of an entry without an end. */
const itemLimitBytes = 256 * 1024 * 1024;

const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Names of members by which an exchange is recognised, in a HAR or in a line of this suite. */
const ofExchange = /^\s*\{\s*"(?:request|response|startedDateTime|time|at|id|operation|resource|durationMs|_\w+)"\s*:/;
/** HAR 1.2: the root has one member. Some tools put others before it. */
const ofArchive = /^\s*\{(?:.*?[{,])?\s*"log"\s*:\s*\{/s;
const tellingBytes = 1024;
/** The depth of the members of `log`. */
const inLog = 2;
const lacksEntries = 'has no log.entries, which a HAR must have.';

/**
 * Splits a HAR into the items of `log.entries`, or of a list that is the whole file. The brackets around them have to
 * be balanced. Another HAR may follow, as `cat *.har` writes them. Splits NDJSON into lines, without empty ones; an
 * object that is formatted over several lines is one item. The beginning of the file decides which it is. Throws a
 * `Misplaced` for anything else.
 */
export class Splitter {
  #phase: 'start' | 'lines' | 'head' | 'entries' | 'tail' = 'start';
  #isList = false;
  #waiting: Buffer[] = [];
  #length = 0;
  /** An unfinished item is looked at again when there is twice as much of it, so the cost stays linear. */
  #enough = tellingBytes;
  #archives = 0;
  /** The number of entries or lines so far. */
  #number = 0;
  #afterItem = false;

  /** What the numbers count. */
  get unit(): 'entry' | 'line' {
    return this.#phase === 'start' || this.#phase === 'lines' ? 'line' : 'entry';
  }

  push(chunk: Buffer): Item[] {
    if (this.#length > itemLimitBytes)
      throw new Misplaced(this.#number + 1, `is larger than ${itemLimitBytes / 1024 / 1024} MB.`);
    this.#waiting.push(chunk);
    this.#length += chunk.length;
    return this.#length < this.#enough ? [] : this.#cut(false);
  }

  end(): Item[] {
    const items = this.#cut(true);
    if (this.#phase === 'lines') return items;
    if (this.#phase === 'head' && this.#archives === 0) throw new Misplaced(0, lacksEntries);
    if (this.#phase !== 'head' || this.#length > 0)
      throw new Misplaced(
        0,
        `does not end as a HAR does: ${this.#isList ? ']' : ']}}'} comes after the last entry, and no more (complete entries: ${this.#number}).`,
      );
    return items;
  }

  #cut(isEnd: boolean): Item[] {
    let data: Buffer = Buffer.concat(this.#waiting);
    if (this.#phase === 'start') data = this.#begin(data);
    const items: Item[] = [];
    let place = 0;
    for (let next = 0; next !== -1; ) {
      place = this.#phase === 'lines' ? next : afterBlanks(data, next);
      if (place === data.length) break;
      next = this.#phase === 'lines' ? this.#line(data, place, isEnd, items) : this.#part(data, place, items);
    }
    this.#waiting = [data.subarray(place)];
    this.#length = data.length - place;
    this.#enough = this.#length * 2;
    return items;
  }

  #begin(all: Buffer): Buffer {
    const isMarked = all.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    const data = isMarked ? all.subarray(byteOrderMark.length) : all;
    const beginning = data.toString('latin1', 0, tellingBytes);
    this.#isList = data[afterBlanks(data, 0)] === openBracket;
    const isArchive = this.#isList || (ofArchive.test(beginning) && !ofExchange.test(beginning));
    this.#phase = isArchive ? 'head' : 'lines';
    return data;
  }

  /** The end of the item that begins on this line, which gives its number; -1 if more bytes are needed. */
  #line(data: Buffer, from: number, isEnd: boolean, items: Item[]): number {
    const found = lineEnd(data, from);
    // The next line decides whether the item ends here.
    if (!isEnd && (found === -1 || found + 1 === data.length)) return -1;
    const end = found === -1 ? data.length : found;
    const bytes = data.subarray(from, end);
    const number = this.#number + 1;
    this.#number += 1 + bytes.reduce((lines, byte) => lines + (byte === newline ? 1 : 0), 0);
    if (afterBlanks(bytes, 0) < bytes.length) items.push({ bytes, number });
    return Math.min(end + 1, data.length);
  }

  /** The end of the part that begins here, or -1. */
  #part(data: Buffer, place: number, items: Item[]): number {
    if (this.#phase === 'head') {
      const begun = this.#isList ? listAt(data, place) : entriesIn(data, place);
      if (begun !== -1) this.#phase = 'entries';
      return begun;
    }
    if (this.#phase === 'tail') {
      const end = closing(data, place, inLog);
      if (end !== -1) this.#phase = 'head';
      return end;
    }
    const byte = data[place];
    if (byte === closeBracket) {
      this.#phase = this.#isList ? 'head' : 'tail';
      this.#afterItem = false;
      this.#archives += 1;
      return place + 1;
    }
    if (this.#afterItem ? byte !== comma : byte === comma || byte === closeBrace)
      throw new Misplaced(
        this.#number + 1,
        `is not JSON: ${this.#afterItem ? 'a comma' : 'an object'} is expected there.`,
      );
    if (byte === comma) {
      this.#afterItem = false;
      return place + 1;
    }
    const end = afterValue(data, place);
    if (end === -1) return -1;
    this.#number += 1;
    this.#afterItem = true;
    items.push({ bytes: data.subarray(place, end), number: this.#number });
    return end;
  }
}

/**
 * The line break that ends the item, or -1: that of its line or, for an object over several lines, the one after its
 * last brace or before a line that begins a new object.
 */
function lineEnd(data: Buffer, from: number): number {
  const first = data.indexOf(newline, from);
  const begin = afterBlanks(first === -1 ? data : data.subarray(0, first), from);
  if (begin >= first || data[begin] !== openBrace || data[first + 1] === openBrace) return first;
  const end = closing(data, begin, 0);
  const ends = [end === -1 ? -1 : data.indexOf(newline, end), data.indexOf('\n{', from)].filter((place) => place >= 0);
  return ends.length > 0 ? Math.min(...ends) : -1;
}

function listAt(data: Buffer, place: number): number {
  if (data[place] !== openBracket) throw new Misplaced(0, 'has data after the list of its exchanges.');
  return place + 1;
}

/** Where `log.entries` begins; -1 if more bytes are needed. Throws if the archive ends without it. */
function entriesIn(data: Buffer, from: number): number {
  const names: string[] = [];
  let depth = 0;
  for (let place = from; place < data.length; place += 1) {
    const byte = data[place];
    if (byte === quote) {
      const end = afterText(data, place);
      if (depth <= inLog) names[depth] = data.toString('utf8', place + 1, end - 1);
      place = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      if (byte === openBracket && depth === inLog && names[1] === 'log' && names[inLog] === 'entries') return place + 1;
      depth += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth <= 0) throw new Misplaced(0, lacksEntries);
    }
  }
  return -1;
}

// Nothing below reads past the end of the data: a single such read makes all of this three times as slow.

/** The first position from here that is not blank. */
function afterBlanks(data: Buffer, from: number): number {
  const { length } = data;
  let place = from;
  while (place < length && isBlank(data[place])) place += 1;
  return place;
}

const isBlank = (byte: number | undefined) => byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;

/** The end of the value that begins here; -1 if more bytes are needed. */
function afterValue(data: Buffer, place: number): number {
  const byte = data[place];
  if (byte === openBrace || byte === openBracket) return closing(data, place + 1, 1);
  if (byte === quote) {
    const end = afterText(data, place);
    return end <= data.length && data[end - 1] === quote ? end : -1;
  }
  const rest = data.subarray(place).findIndex((one) => one === comma || one === closeBracket);
  return rest === -1 ? -1 : place + rest;
}

/** Where the bracket of this depth closes; -1 if more bytes are needed. */
function closing(data: Buffer, from: number, within: number): number {
  const { length } = data;
  let depth = within;
  for (let place = from; place < length; place += 1) {
    const byte = data[place];
    if (byte === quote) place = afterText(data, place) - 1;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return -1;
}

/** The end of the string that begins with this quote; past the end of the data if it is not complete. */
function afterText(data: Buffer, opening: number): number {
  const { length } = data;
  let place = opening + 1;
  while (place < length) {
    const byte = data[place];
    if (byte === quote) break;
    place += byte === backslash ? 2 : 1;
  }
  return place + 1;
}

export interface Source {
  /** Its name in errors. */
  readonly name: string;
  /** Where bodies lie that it keeps in files of their own. */
  readonly folder?: string;
  /** The signal ends reading with an error. */
  open(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

const [pieceBytes, pipedBytes] = [1024 * 1024, 64 * 1024];

/** A file; `-` is standard input. */
export const fileSource = (file: string): Source =>
  file === '-'
    ? { name: 'standard input', open: (signal) => (signal ? addAbortSignal(signal, process.stdin) : process.stdin) }
    : {
        name: file,
        folder: dirname(file),
        open: (signal) => {
          const kind = statSync(file, { throwIfNoEntry: false });
          if (kind?.isFIFO()) return piped(file, signal);
          return createReadStream(file, { highWaterMark: pieceBytes, ...(signal && { signal }) });
        },
      };

const waitForWriterMs = 500;
const lookMs = 10;

/** Reads a named pipe. Opening one without a writer would block for ever, whatever the signal. */
async function* piped(file: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  let first: Uint8Array;
  try {
    first = await firstBytes(file, handle, signal);
  } catch (error) {
    closeSync(handle);
    throw error;
  }
  const rest = new Socket({ fd: handle, writable: false });
  try {
    yield first;
    yield* signal ? addAbortSignal(signal, rest) : rest;
  } finally {
    rest.destroy();
  }
}

async function firstBytes(file: string, handle: number, signal?: AbortSignal): Promise<Uint8Array> {
  const chunk = Buffer.alloc(pipedBytes);
  for (let waited = 0; ; ) {
    let read = -1;
    try {
      read = readSync(handle, chunk);
    } catch (error) {
      // There is a writer, but no data yet.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
    if (read > 0) return chunk.subarray(0, read);
    if (read === 0 && waited >= waitForWriterMs) throw new RecordingError(`${file} is a pipe without a writer.`);
    await delay(lookMs, undefined, signal && { signal });
    if (read === 0) waited += lookMs;
  }
}

/**
 * The bytes of a recording, decompressed if they are gzip, whatever the file name. Stops when the signal aborts. Throws a
 * RecordingError.
 */
export async function* bytesOf({ name, open }: Source, signal?: AbortSignal): AsyncGenerator<Buffer> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  try {
    chunks = open(signal)[Symbol.asyncIterator]();
    let head = Buffer.alloc(0);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      head = Buffer.concat([head, next.value]);
      if (head.length >= gzip.length) break;
    }
    const all = resumed(head, chunks);
    if (head.subarray(0, zip.length).equals(zip))
      throw new RecordingError(
        `${name} is a ZIP archive: unpack it, and name the .har in it. (Playwright packs what it records into a name that ends in .zip; with recordHar: { path: 'session.har', content: 'embed' } it does not, and the bodies are in it.)`,
      );
    yield* inUtf8(head.subarray(0, gzip.length).equals(gzip) ? unpacked(all) : all);
  } catch (error) {
    if (signal?.aborted) return;
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(`${name} ${inWords(error as NodeJS.ErrnoException)}`);
  } finally {
    await chunks?.return?.();
  }
}

/** Converts UTF-16, as PowerShell's `>` writes it, to UTF-8. Without a BOM, the first character must be ASCII. */
async function* inUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk.length >= 2) {
      const label = utf16In(chunk);
      decoder = label === undefined ? undefined : new TextDecoder(label);
      isFirst = false;
    }
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
  }
}

function utf16In([first, second]: Buffer): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : undefined;
}

const gzip = Buffer.from([0x1f, 0x8b]);
const zip = Buffer.from('PK');

async function* resumed(head: Buffer, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await chunks.next(); !next.done; next = await chunks.next())
    yield Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
}

const unpacked = (chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  pipeline(Readable.from(chunks), createGunzip({ chunkSize: pieceBytes }), () => {});

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
