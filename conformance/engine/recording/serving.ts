import type { MessagePort } from 'node:worker_threads';
import type { Which } from './known-parts.js';
import { PartsByNumber } from './known-parts.js';
import { type Batch, type FromThread, perItem, perPart, type ToThread } from './messages.js';
import type { Part } from './parts.js';
import { readerOf } from './reader.js';
import { Misplaced } from './splitter.js';
import { type Brief, courseOf } from './taker.js';

/** Judges some histories of a recording, for whoever hands over the bytes of their exchanges in the order of time. */
export function serve(port: MessagePort, brief: Brief): void {
  const reader = readerOf(brief.facts);
  const course = courseOf(brief, true);
  const say = (message: FromThread) => port.postMessage(message);
  /** What comes after a mistake need not be judged. */
  let isOver = false;
  const rooms = new Map<number, Buffer>();
  const known = new PartsByNumber();

  const take = ({ room, bytes, places }: Batch) => {
    const data = bytes ? Buffer.from(bytes) : (rooms.get(room) as Buffer);
    rooms.set(room, data);
    for (let place = 0; place < places.length && !isOver; ) {
      const [id = 0, source = 0, number = 0, from = 0, to = 0, count = 0] = places.subarray(place, place + perItem);
      place += perItem;
      const parts: Part[] = [];
      for (; parts.length < count; place += perPart) {
        const [which = 0, begin = 0, end = 0, name = 0] = places.subarray(place, place + perPart);
        parts.push({ which: which as Which, from: begin, to: end, known: known.of(name, end - begin) });
      }
      try {
        const item = { bytes: data.subarray(from, to), number, ...(count > 0 && { parts }) };
        course.take(reader.parse(item, id));
      } catch (error) {
        if (!(error instanceof Misplaced)) throw error;
        isOver = true;
        say({ kind: 'misplaced', id, source, number: error.number, message: error.message });
      }
    }
    say({ kind: 'taken', room, latest: course.latest });
  };

  port.on('message', (message: ToThread) => {
    if (message.kind === 'batch') return take(message);
    say({ kind: 'part', part: { ...course.end(message.latest), takenOut: reader.takenOut.all } });
    port.close();
  });
}
