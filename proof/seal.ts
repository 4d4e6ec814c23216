import { sha256 } from './bundle.js';

/**
 * The page, and at its end of what it was proven. The proof runs on a clock of its own, so what did not change proves the
 * same again: where the seal of a page holds, what comes of the proof is known.
 */
export const seal = (body: string, sources: string): string =>
  `${body}\n<!-- Sealed: ${sha256(`${sources}\n${body}`)} -->\n`;

/** Whether a page is as it was written, and was written of these sources. */
export function isSealed(page: string, sources: string): boolean {
  return page === seal(page.replace(/\n<!-- Sealed: \w+ -->\n$/, ''), sources);
}
