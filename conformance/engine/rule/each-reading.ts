import { contract } from '../contract.js';
import { type Reading, readingOf } from '../outcome/readings.js';
import type { Finding, Judge } from '../vocabulary.js';

/** Judges each reading of what was started by itself. */
export const eachReading = (judge: (reading: Reading) => Finding | undefined): Judge => ({
  exchange(exchange) {
    const reading = exchange.operation === contract().look ? readingOf(exchange) : undefined;
    return reading && judge(reading);
  },
});
