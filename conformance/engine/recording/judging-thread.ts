import type { Worker } from 'node:worker_threads';
import { startThread } from '../thread.js';
import type { HandedPart } from './course.js';
import { RecordingError } from './error.js';
import type { FromThread, ToThread } from './messages.js';
import type { Item } from './splitter.js';
import type { Brief } from './taker.js';

/** Handed over at once; smaller where the thread has nothing to do. */
const [fullBytes, smallBytes] = [512 * 1024, 32 * 1024];
/** So many batches wait for a thread: enough for it to work on while the other one collects garbage. */
const most = 16;

/** Bytes that both threads see, written by one of them at a time. */
class Room {
  readonly number: number;
  isKnown = false;
  shared: SharedArrayBuffer;
  bytes: Buffer;

  constructor(number: number) {
    this.number = number;
    this.shared = new SharedArrayBuffer(fullBytes);
    this.bytes = Buffer.from(this.shared);
  }

  /** Empty, for a batch of at least so many bytes. */
  empty(least: number): void {
    const size = Math.max(fullBytes, least);
    if (size === this.bytes.length) return;
    this.shared = new SharedArrayBuffer(size);
    this.bytes = Buffer.from(this.shared);
    this.isKnown = false;
  }
}

/** What a thread is here; tests have one that is none. */
export type Thread = Pick<Worker, 'on' | 'postMessage' | 'terminate'>;

const realThread = (brief: Brief): Thread =>
  startThread('recording-worker', new URL('../../threads/recording.ts', import.meta.url), { workerData: brief });

/** Judges some of the histories, in a thread of its own. */
export class JudgingThread {
  readonly #worker: Thread;
  readonly #rooms = [new Room(0)];
  readonly #free: Room[] = [];
  #room = this.#rooms[0] as Room;
  #places: number[] = [];
  #filled = 0;
  #waiting = 0;
  #latest = Number.NEGATIVE_INFINITY;
  #part: HandedPart | undefined;
  #crash: Error | undefined;
  #heard: () => void = () => {};

  /** `misplaced` is told of an item that cannot be read; no further one is judged. */
  constructor(
    brief: Brief,
    misplaced: (item: FromThread & { kind: 'misplaced' }) => void,
    start: (brief: Brief) => Thread = realThread,
  ) {
    this.#worker = start(brief);
    const crashed = (error: Error) => {
      this.#crash ??= error;
      this.#heard();
    };
    this.#worker.on('error', (error: NodeJS.ErrnoException) => crashed(inWords(error)));
    this.#worker.on('exit', (code) => {
      if (!this.#part) crashed(new Error(`a worker thread ended with exit code ${code}`));
    });
    this.#worker.on('message', (message: FromThread) => {
      if (message.kind === 'misplaced') misplaced(message);
      else if (message.kind === 'part') this.#part = message.part;
      else {
        this.#waiting -= 1;
        this.#latest = message.latest;
        this.#free.push(this.#rooms[message.room] as Room);
      }
      this.#heard();
    });
  }

  /** When the last was sent of what it has judged. */
  get latest(): number {
    return this.#latest;
  }

  /** Gives something to wait for when enough waits already. */
  take(id: number, source: number, { bytes, number, parts = [] }: Item): Promise<void> | undefined {
    if (this.#filled + bytes.length > this.#room.bytes.length) this.#hand(bytes.length);
    bytes.copy(this.#room.bytes, this.#filled);
    this.#places.push(id, source, number, this.#filled, this.#filled + bytes.length, parts.length);
    for (const { which, from, to, known } of parts) this.#places.push(which, from, to, known?.number ?? 0);
    this.#filled += bytes.length;
    if (this.#waiting === 0 && this.#filled >= smallBytes) this.#hand();
    return this.#waiting >= most ? this.#until(() => this.#waiting < most) : undefined;
  }

  /** Resolves when everything that it was given is judged. */
  async settle(): Promise<void> {
    this.#hand();
    await this.#until(() => this.#waiting === 0);
  }

  /** There is no more to come; `latest`: when the last of all was sent. */
  async end(latest: number): Promise<HandedPart> {
    this.#post({ kind: 'end', latest });
    await this.#until(() => this.#part !== undefined);
    return this.#part as HandedPart;
  }

  async stop(): Promise<void> {
    this.#crash ??= new Error('it was stopped');
    await this.#worker.terminate();
  }

  /** `next`: so many bytes have to find room in what is filled then. */
  #hand(next = 0): void {
    if (this.#places.length > 0) {
      const { number: room, shared: bytes, isKnown } = this.#room;
      this.#post({ kind: 'batch', room, places: new Uint32Array(this.#places), ...(!isKnown && { bytes }) });
      this.#room.isKnown = true;
      this.#room = this.#free.pop() ?? this.#another();
      this.#waiting += 1;
    }
    this.#room.empty(next);
    this.#places = [];
    this.#filled = 0;
  }

  #another(): Room {
    const room = new Room(this.#rooms.length);
    this.#rooms.push(room);
    return room;
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#crash) throw this.#crash;
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }
}

function inWords(error: NodeJS.ErrnoException): Error {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new RecordingError('A thread that judges ran out of memory: give less to --remember, or fewer --jobs.')
    : error;
}
