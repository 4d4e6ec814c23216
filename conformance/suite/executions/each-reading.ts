import type { Finding, Judge } from '../../engine/vocabulary.js';
import { type Reading, readingOf } from './view.js';

/** Judges each reading of an execution by itself. */
export const eachReading = (judge: (reading: Reading) => Finding | undefined): Judge => ({
  exchange(exchange) {
    const reading = exchange.operation === 'getExecution' ? readingOf(exchange) : undefined;
    return reading && judge(reading);
  },
});
