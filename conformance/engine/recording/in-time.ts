import { looksOwn } from '../http/address.js';
import { Reading } from './reading.js';
import { type Sight, sightOf } from './sight.js';
import type { Source } from './source.js';
import type { Item } from './splitter.js';

/** So many files are open at once: a process may have about a thousand. */
const usuallyOpen = 200;

/** An item, in its turn. */
export interface Turn {
  /** Counts up from 1. */
  readonly id: number;
  readonly item: Item;
  /** Where it is from. */
  readonly reading: Reading;
}

/** A source that is being read, and what comes next of it. */
interface Lane {
  readonly reading: Reading;
  item: Item;
  sight: Sight;
  /** When that began; where it does not say, when the one before it did. */
  at: number;
}

/**
 * What is in all sources, by time: what several recorders saw of one execution stands in several files, and is judged
 * whole only where it comes together. Each source is read once, forward, so it has to be in order itself, by when requests
 * were sent or by when they were answered.
 */
export class InTime {
  readonly #signal: AbortSignal | undefined;
  readonly #mostOpen: number;
  readonly #unsorted = new Set<string>();
  #latest = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(signal?: AbortSignal, mostOpen: number = usuallyOpen) {
    this.#signal = signal;
    this.#mostOpen = mostOpen;
  }

  /** Sources with something in them that had ended before what was taken earlier began. */
  get unsorted(): readonly string[] {
    return [...this.#unsorted];
  }

  async each(sources: readonly Source[], take: (turn: Turn) => void): Promise<void> {
    const waiting = sources.map((source) => new Reading(source, this.#signal, sources.length));
    const lanes: Lane[] = [];
    // Those in lanes, and one that may turn out to be wrong before it has a lane.
    const opened = new Set<Reading>();
    const close = (reading: Reading) => {
      opened.delete(reading);
      return reading.close();
    };
    const open = async () => {
      while (lanes.length < this.#mostOpen) {
        const reading = waiting.shift();
        if (!reading) return;
        opened.add(reading);
        if (await reading.more()) lanes.push(next(reading, Number.NEGATIVE_INFINITY));
        else await close(reading);
      }
    };
    try {
      for (await open(); lanes.length > 0; ) {
        const lane = earliest(lanes);
        const { item, reading } = lane;
        this.#watch(lane);
        this.#count += 1;
        take({ id: this.#count, item, reading });
        if (reading.isReady || (await reading.more())) Object.assign(lane, next(reading, lane.at));
        else {
          lanes.splice(lanes.indexOf(lane), 1);
          await close(reading);
          await open();
        }
      }
    } finally {
      await Promise.all([...opened].map(close));
    }
  }

  #watch({ sight: { asked, from, to }, reading }: Lane): void {
    if (from === undefined || to === undefined || !looksOwn(asked.url)) return;
    if (to < this.#latest) this.#unsorted.add(reading.name);
    this.#latest = Math.max(this.#latest, from);
  }
}

function next(reading: Reading, before: number): Lane {
  const item = reading.next();
  const sight = sightOf(item);
  return { reading, item, sight, at: sight.from ?? before };
}

function earliest(lanes: readonly Lane[]): Lane {
  let found = lanes[0] as Lane;
  for (const lane of lanes) if (lane.at < found.at) found = lane;
  return found;
}
