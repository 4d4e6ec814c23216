import type { Body } from '../vocabulary.js';
import { isFields } from './read.js';

const shownText = 2000;
/** Deeper values are cut, so that whoever walks over them later does not run out of stack. */
const deepest = 100;

/** Parses the text of a body. An empty one is no body. */
export function parseBody(text: string, bytes = Buffer.byteLength(text)): Body {
  if (text.trim() === '') return { kind: 'none' };
  try {
    const value: unknown = JSON.parse(text);
    cut(value);
    return { kind: 'json', value, bytes };
  } catch (error) {
    const shown = text.length > shownText ? `${text.slice(0, shownText)}…` : text;
    return { kind: 'not-json', text: shown, error: (error as Error).message.slice(0, 200), bytes };
  }
}

function cut(root: unknown): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (!isFields(value) && !Array.isArray(value)) continue;
      const fields = value as Record<string, unknown>;
      for (const [key, child] of Object.entries(fields)) {
        if (typeof child !== 'object' || child === null) continue;
        if (depth < deepest) next.push(child);
        else fields[key] = '…';
      }
    }
    level = next;
  }
}
