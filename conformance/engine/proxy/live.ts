/** Judges traffic as it passes the proxy, and writes the record of it. */
import { randomUUID } from 'node:crypto';
import type { Rule } from '../contract.js';
import { isKeyHeader } from '../outcome/read.js';
import { EntryReader } from '../recording/entry.js';
import { usualBounds } from '../recording/histories.js';
import type { OnViolation } from '../recording/judging.js';
import { withoutQueryValues, withoutUser } from '../recording/keyless.js';
import { RecordingPipeline } from '../recording/pipeline.js';
import type { RecordedRun } from '../recording/recorded-run.js';
import type { Entry, Recorded } from '../vocabulary/recording.js';
import type { Facts } from '../vocabulary.js';
import { lineOf, type PassedExchange } from './passed.js';

export type Violation = Parameters<OnViolation>[0];

export interface LiveOptions {
  readonly facts: Facts;
  /** Which rules to judge. Default: all. */
  readonly selected?: (rule: Rule) => boolean;
  /** The memory for all histories. Beyond it, the one that has been quiet longest is judged. */
  readonly openBytes?: number;
  /** Called for each violation as soon as it is certain. */
  readonly onViolation?: OnViolation;
  /** Gets each exchange as a line without keys, which is judged the same when it is read again. */
  readonly record?: (line: string) => void;
}

/** Judges traffic exactly as a recording of it would be judged. */
export class Live {
  readonly #reader = new EntryReader();
  readonly #course: RecordingPipeline;
  readonly #record: ((line: string) => void) | undefined;
  /** Tells the numbers of this proxy's keys from those of another one, whose record may be read with this one's. */
  readonly #name = randomUUID().slice(0, 4);
  #count = 0;

  constructor({ facts, selected = () => true, openBytes, onViolation, record }: LiveOptions) {
    const bounds = { ...usualBounds, ...(openBytes !== undefined && { openBytes }) };
    const { maskedValues } = this.#reader;
    this.#course = new RecordingPipeline(facts, selected, {
      bounds,
      ...(onViolation && { onViolation: (violation) => onViolation(maskedValues.mask(violation)) }),
    });
    this.#record = record;
  }

  take(passed: PassedExchange): void {
    this.#count += 1;
    const line = lineOf(passed);
    const entry = this.#reader.read(line, this.#count);
    const kept = entry.kind === 'exchange' ? recordLine(entry, this.#name) : outline(line, entry);
    if (kept !== undefined) this.#record?.(this.#reader.maskedValues.text(kept));
    this.#course.add(entry);
  }

  finish(): RecordedRun {
    return this.#reader.maskedValues.mask(this.#course.finish());
  }
}

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

/** The line of a recording from which the same exchange is read. The number of its key stands for that. */
function recordLine({ exchange, question, answer, key }: Recorded, of: string): string {
  const { at, durationMs, request, response, failure } = exchange;
  const { method, url } = request;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      key !== undefined && isKeyHeader(name) ? `key ${of}-${key} (redacted)` : value,
    ]),
  );
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
