import { createReadStream } from 'node:fs';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { RecordingError } from './error.js';

/** One recording, as bytes. */
export interface Source {
  /** What errors call it. */
  readonly name: string;
  /** In pieces of about so many bytes. The signal ends reading, with an error. */
  open(signal?: AbortSignal, pieceBytes?: number): AsyncIterable<Uint8Array>;
}

const [largestPiece, smallestPiece] = [1024 * 1024, 64 * 1024];
/** All pieces that are held at once. */
const piecesBytes = 8 * largestPiece;

/** A file of the user's; `-` is standard input. */
export const fileSource = (file: string): Source =>
  file === '-'
    ? { name: 'standard input', open: (signal) => (signal ? addAbortSignal(signal, process.stdin) : process.stdin) }
    : {
        name: file,
        open: (signal, pieceBytes = largestPiece) =>
          createReadStream(file, { highWaterMark: pieceBytes, ...(signal && { signal }) }),
      };

/**
 * The bytes of a recording, unpacked where they are gzip, whatever the file is called; no more of them when the signal is
 * given. `beside`: how many sources are read at the same time, this one included. Throws a RecordingError.
 */
export async function* bytesOf({ name, open }: Source, signal?: AbortSignal, beside = 1): AsyncGenerator<Buffer> {
  const pieceBytes = Math.max(smallestPiece, Math.min(largestPiece, Math.floor(piecesBytes / beside)));
  const chunks = open(signal, pieceBytes)[Symbol.asyncIterator]();
  try {
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
    yield* head.subarray(0, gzip.length).equals(gzip) ? unpacked(all, pieceBytes) : all;
  } catch (error) {
    if (signal?.aborted) return;
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(`${name} ${inWords(error as NodeJS.ErrnoException)}`);
  } finally {
    await chunks.return?.();
  }
}

const gzip = Buffer.from([0x1f, 0x8b]);
const zip = Buffer.from('PK');

async function* resumed(head: Buffer, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await chunks.next(); !next.done; next = await chunks.next())
    yield Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
}

const unpacked = (chunks: AsyncIterable<Buffer>, chunkSize: number): AsyncIterable<Buffer> =>
  pipeline(Readable.from(chunks), createGunzip({ chunkSize }), () => {});

function inWords({ code = '', message }: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ENOENT: 'does not exist.',
    EISDIR: 'is a folder; name the recordings in it.',
    EACCES: 'may not be read.',
    Z_BUF_ERROR: 'ends in the middle of its gzip data.',
    Z_DATA_ERROR: 'holds damaged gzip data.',
  };
  return known[code] ?? `cannot be read: ${message}.`;
}
