import { contract } from '../contract.js';
import { type Reading, readingOf, readings } from '../outcome/readings.js';
import type { Finding, Judge, Judgement, Trace } from '../vocabulary.js';

/** Judges each reading of what was started by itself. */
export const eachReading = (judge: (reading: Reading) => Finding | undefined): Judge => ({
  exchange(exchange) {
    const reading = exchange.operation === contract().look ? readingOf(exchange) : undefined;
    return reading && judge(reading);
  },
});

/** Judges each reading beside all that was seen of the same. */
export const eachReadingOf = (judge: (reading: Reading, trace: Trace) => Judgement): Judge => ({
  trace: (trace) => readings(trace.readings).flatMap((reading) => judge(reading, trace) ?? []),
});
