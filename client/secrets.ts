// A shorter key would be found in words.
const shortest = 6;
const longestText = 1000;
// Of a longer text only so much is looked at: more is not shown, however much the keys in it take.
const looked = 20 * longestText;

const literal = (text: string) => text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');

/** A character as it stands, percent-encoded, escaped in JSON, or as an entity of HTML. */
function character(one: string): string {
  const code = one.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  return `(?:\\\\?${literal(one)}|%${hex}|\\\\u00${hex}|&#(?:0*${code}|x0*${hex});)`;
}

/** A key in any of the ways in which what others write may repeat it. */
function pattern(key: string): RegExp {
  const hex = [...key].map((one) => one.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  const base64 = literal(btoa(key).replace(/=+$/, ''));
  return new RegExp([[...key].map(character).join(''), base64, hex].join('|'), 'gi');
}

/** Takes keys out of what others wrote, and what would forge lines in a log; keeps it to a readable length. */
export class Cleaner {
  readonly #keys = new Set<string>();

  /** Keys that are used from now on. They may change while the client lives. */
  add(key: string): void {
    if (key.length >= shortest) this.#keys.add(key);
  }

  /** Without keys, on one line, at most 1000 characters. */
  readonly text = (text: string): string =>
    this.#without(text)
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, longestText);

  /** Without keys, and at most 1000 characters. */
  readonly body = (text: string): string => this.#without(text).slice(0, longestText);

  #without(text: string): string {
    // The longer first, in case that one key begins with the other.
    const keys = [...this.#keys].sort((a, b) => b.length - a.length);
    return keys.reduce((rest, key) => rest.replace(pattern(key), '[key]'), text.slice(0, looked));
  }
}
