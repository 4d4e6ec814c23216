/** Puts what was seen into words that are short enough for a line of a report. */

import type { Exchange, Response } from '../vocabulary.js';

/** Stands for a secret. */
export const redacted = '[redacted]';

/** Longer texts are cut. */
export const longestText = 80;

export const shorten = (text: string, limit = longestText): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…` : text;

/** A value as JSON, shortened. */
export const jsonText = (value: unknown): string => shorten(JSON.stringify(value) ?? 'nothing');

export const inMs = (ms: number): string => `${Math.round(ms)} ms`;

export const inSeconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** An answer in words: `202 with {"id":…}`, `204 without a body`. */
export function textOfResponse({ status, body }: Response): string {
  if (body.kind === 'none') return `${status} without a body`;
  return body.kind === 'json'
    ? `${status} with ${jsonText(body.value)}`
    : `${status} with a body that is not JSON: ${jsonText(body.text)}`;
}

export const noAnswer = ({ failure }: Exchange): string =>
  `There was no answer: ${failure?.message ?? 'the run was stopped.'}`;

export const answerText = ({ response }: Exchange): string => (response ? textOfResponse(response) : 'no answer');
