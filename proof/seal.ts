import { sha256 } from './bundle.js';

/**
 * Appends a digest of the page and of the sources that it was proven with. The proof is deterministic, so while the
 * seal holds, running it again would give the same result.
 */
export const seal = (body: string, sources: string): string =>
  `${body}\n<!-- Sealed: ${sha256(`${sources}\n${body}`)} -->\n`;

/** Whether a page is unchanged, and was written from these sources. */
export function isSealed(page: string, sources: string): boolean {
  return page === seal(page.replace(/\n<!-- Sealed: \w+ -->\n$/, ''), sources);
}
