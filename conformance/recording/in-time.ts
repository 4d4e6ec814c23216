import type { Entry, EntryReader } from './entry.js';
import { Reading } from './reading.js';
import type { Source } from './source.js';

/** So many files are open at once: a process may have about a thousand. */
const usuallyOpen = 200;

/** A source that is being read, and what comes next of it. */
interface Lane {
  readonly reading: Reading;
  head: Entry;
  /** When the head was sent; of what is no exchange of the contract, when the one before it was. */
  at: number;
}

/**
 * The entries of all sources, by time: what several recorders saw of one execution stands in several files, and is judged
 * whole only where it comes together. Each source is read once, forward, so it has to be in order itself, by when requests
 * were sent or by when they were answered.
 */
export class InTime {
  readonly #reader: EntryReader;
  readonly #signal: AbortSignal | undefined;
  readonly #mostOpen: number;
  readonly #unsorted = new Set<string>();
  #latest = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(reader: EntryReader, signal?: AbortSignal, mostOpen: number = usuallyOpen) {
    this.#reader = reader;
    this.#signal = signal;
    this.#mostOpen = mostOpen;
  }

  /** Sources with something in them that had ended before what was taken earlier began. */
  get unsorted(): readonly string[] {
    return [...this.#unsorted];
  }

  async each(sources: readonly Source[], take: (entry: Entry) => void): Promise<void> {
    const waiting = sources.map((source) => new Reading(source, this.#reader, this.#signal, sources.length));
    const lanes: Lane[] = [];
    const open = async () => {
      while (lanes.length < this.#mostOpen) {
        const reading = waiting.shift();
        if (!reading) return;
        if (await reading.more()) lanes.push(this.#next({ reading, at: Number.NEGATIVE_INFINITY }));
        else await reading.close();
      }
    };
    try {
      for (await open(); lanes.length > 0; ) {
        const lane = earliest(lanes);
        this.#watch(lane);
        take(lane.head);
        if (lane.reading.isReady || (await lane.reading.more())) Object.assign(lane, this.#next(lane));
        else {
          lanes.splice(lanes.indexOf(lane), 1);
          await lane.reading.close();
          await open();
        }
      }
    } finally {
      await Promise.all([...lanes.map(({ reading }) => reading.close())]);
    }
  }

  #next({ reading, at }: Pick<Lane, 'reading' | 'at'>): Lane {
    this.#count += 1;
    const head = reading.next(this.#count);
    return { reading, head, at: head.kind === 'exchange' ? head.exchange.at : at };
  }

  #watch({ head, reading }: Lane): void {
    if (head.kind !== 'exchange') return;
    const { at, durationMs } = head.exchange;
    if (at + durationMs < this.#latest) this.#unsorted.add(reading.name);
    this.#latest = Math.max(this.#latest, at);
  }
}

function earliest(lanes: readonly Lane[]): Lane {
  let found = lanes[0] as Lane;
  for (const lane of lanes) if (lane.at < found.at) found = lane;
  return found;
}
