/** Judges traffic as it passes the proxy, and writes the record of it. */

import { randomUUID } from 'node:crypto';
import type { Rule } from '../contract.js';
import { isKeyHeader } from '../outcome/read.js';
import { EntryReader } from '../recording/entry.js';
import { usualBounds } from '../recording/histories.js';
import type { Entry } from '../recording/history.js';
import type { OnViolation } from '../recording/judging.js';
import { withoutQueryValues, withoutUser } from '../recording/keyless.js';
import { RecordingPipeline } from '../recording/pipeline.js';
import type { RecordedRun } from '../recording/recorded-run.js';
import type { Facts } from '../vocabulary.js';
import { lineOf, type PassedExchange } from './passing.js';

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
    const kept = recordOf(line, entry, this.#name);
    if (kept) this.#record?.(this.#reader.maskedValues.text(`${JSON.stringify(kept)}\n`));
    this.#course.add(entry);
  }

  finish(): RecordedRun {
    return this.#reader.maskedValues.mask(this.#course.finish());
  }
}

const bodyOf = (text: string) => (text === '' ? { kind: 'none' } : { kind: 'text', text });

/**
 * The line of a recording from which the same entry is read. A number stands for its key. Of an exchange that is not
 * judged, but affects verdicts, its outline: it is incomplete, or may have looked up executions.
 */
function recordOf(line: ReturnType<typeof lineOf>, entry: Entry, name: string): object | undefined {
  const { at, durationMs, failure } = line;
  if (entry.kind === 'exchange') {
    const { exchange, question, answer, key } = entry;
    const { request, response } = exchange;
    const headers = Object.entries(request.headers).map(([header, value]) =>
      key !== undefined && isKeyHeader(header) ? [header, `key ${name}-${key} (redacted)`] : [header, value],
    );
    return {
      ...{ at, durationMs, failure },
      request: { ...request, headers: Object.fromEntries(headers), body: bodyOf(question) },
      ...(response && { response: { ...response, body: bodyOf(answer) } }),
    };
  }
  if (entry.kind !== 'unrecorded' && !(entry.kind === 'foreign' && entry.mayLookUp)) return undefined;
  const { method, url } = line.request;
  const rest = { headers: {}, body: { kind: entry.kind === 'unrecorded' ? 'lost' : 'none' } };
  return {
    ...{ at, durationMs, failure },
    request: { method, url: withoutQueryValues(withoutUser(url)), ...rest },
    ...(line.response && { response: { status: line.response.status, ...rest } }),
  };
}
