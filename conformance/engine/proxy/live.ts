/** Judges traffic as it passes the proxy, and writes the record of it. */
import { contract } from '../contract.js';
import { type Entry, EntryReader, type Recorded } from '../recording/entry.js';
import { usualBounds } from '../recording/histories.js';
import type { OnViolation } from '../recording/judging.js';
import { withoutQueryValues, withoutUser } from '../recording/keyless.js';
import type { RecordedRun } from '../recording/merge.js';
import { RecordingPipeline } from '../recording/pipeline.js';
import type { Facts } from '../vocabulary.js';
import { lineOf, type PassedExchange } from './passed.js';

/** Options that can be passed to another thread. */
export interface LiveOptions {
  readonly facts: Facts;
  readonly rules: readonly string[];
  /** The memory for all histories. Beyond it, the one that has been quiet longest is judged. */
  readonly openBytes?: number;
}

/** Judges traffic exactly as a recording of it would be judged. */
export class Live {
  readonly #reader = new EntryReader();
  readonly #course: RecordingPipeline;
  readonly #record: ((line: string) => void) | undefined;
  #count = 0;

  /** `record` gets each exchange as a line without keys, which is judged the same when it is read again. */
  constructor(
    { facts, rules: wanted, openBytes }: LiveOptions,
    onViolation?: OnViolation,
    record?: (line: string) => void,
  ) {
    const bounds = { ...usualBounds, ...(openBytes !== undefined && { openBytes }) };
    const ids = new Set(wanted);
    const { maskedValues } = this.#reader;
    this.#course = new RecordingPipeline(facts, ({ id }) => ids.has(id), {
      bounds,
      ...(onViolation && { onViolation: (violation) => onViolation(maskedValues.mask(violation)) }),
    });
    this.#record = record;
  }

  take(passed: PassedExchange): void {
    this.#count += 1;
    const line = lineOf(passed);
    const entry = this.#reader.read(line, this.#count);
    const kept = entry.kind === 'exchange' ? recordLine(entry) : outline(line, entry);
    if (kept !== undefined) this.#record?.(this.#reader.maskedValues.text(kept));
    this.#course.add(entry);
  }

  leaveOut(history: string, baseUrl: string): void {
    this.#course.leaveOut(history, baseUrl);
  }

  finish(): RecordedRun {
    return this.#reader.maskedValues.mask(this.#course.finish());
  }
}

export const allRules = (): readonly string[] => contract().rules.map(({ id }) => id);

const bodyOf = (text: string) => (text === '' ? { kind: 'none' } : { kind: 'text', text });

/**
 * The outline of an exchange that is not judged itself but affects verdicts: one that is incomplete, or that may have
 * looked up executions in a way that the interface does not show.
 */
function outline({ at, durationMs, request, response, failure }: ReturnType<typeof lineOf>, entry: Entry) {
  const isPart = entry.kind === 'unrecorded';
  if (!isPart && !(entry.kind === 'foreign' && entry.mayLookUp)) return undefined;
  const said = { headers: {}, body: { kind: isPart ? 'lost' : 'none' } };
  return `${JSON.stringify({
    at,
    durationMs,
    request: { method: request.method, url: withoutQueryValues(withoutUser(request.url)), ...said },
    ...(response && { response: { status: response.status, ...said } }),
    ...(failure && { failure }),
  })}\n`;
}

/** The line of a recording from which the same exchange is read. */
function recordLine({ exchange, question, answer }: Recorded): string {
  const { at, durationMs, request, response, failure } = exchange;
  const { method, url, headers } = request;
  return `${JSON.stringify({
    at,
    durationMs,
    request: { method, url, headers, body: bodyOf(question) },
    ...(response && {
      response: {
        status: response.status,
        headers: response.headers,
        body: bodyOf(answer),
        repeatsKey: response.repeatsKey,
      },
    }),
    ...(failure && { failure }),
  })}\n`;
}
