/** Reads the bytes of recordings: files, pipes, standard input, gzip, UTF-16. */
import { closeSync, constants, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { RecordingError } from './raw.js';

export interface Source {
  /** Its name in errors. */
  readonly name: string;
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
