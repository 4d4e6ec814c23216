import { parseBody } from '../http/body.js';
import type { Redactor } from '../http/redact.js';
import type { Body } from '../vocabulary.js';
import { masksIds } from './cut-off.js';
import { Recent } from './recent.js';

/** A text without the keys that were sent with it, and what it says. */
export interface Text {
  readonly clean: string;
  readonly body: Body;
  /** Whoever recorded it has masked ids or times in it. */
  readonly isMasked: boolean;
}

interface Kept extends Text {
  readonly text: string;
  readonly redactor: Redactor;
}

const mostCharacters = 4 * 1024 * 1024;
/** Longer ones are seldom the same, and there would be room for few. */
const longest = 64 * 1024;

/**
 * Reads the texts of bodies. Most answers of an execution that is polled are the one before again: such a text is cleaned and
 * parsed once, and what it says is the same object, by which whoever compares two of them is done at once.
 */
export class Texts {
  readonly #known = new Recent<string, Kept>(mostCharacters, ({ text }) => text.length);

  read(text: string, redactor: Redactor): Text {
    const known = this.#known.get(text);
    if (known?.redactor === redactor) return known;
    const clean = redactor.text(text);
    const made = { clean, body: parseBody(clean), isMasked: masksIds(clean), text, redactor };
    if (text.length <= longest) this.#known.set(text, made);
    return made;
  }
}
