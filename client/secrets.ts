// A shorter key would be found in words.
const shortest = 6;
const longestText = 1000;
// Of a longer text only so much is looked at: more is not shown, however much the keys in it take.
const looked = 20 * longestText;

const hex = (one: string) => one.charCodeAt(0).toString(16).padStart(2, '0');

/** A character as it stands, percent-encoded, escaped in JSON, or as an entity of HTML. */
function character(one: string): string {
  const code = hex(one);
  return `(?:\\\\?\\x${code}|%${code}|\\\\u00${code}|&#(?:0*${one.charCodeAt(0)}|x0*${code});)`;
}

/** A key in any of the ways in which what others write may repeat it: as it is, in base64, in hexadecimal. */
function pattern(key: string): RegExp {
  const written = [key, btoa(key).replace(/=+$/, ''), [...key].map(hex).join('')];
  return new RegExp(written.map((text) => [...text].map(character).join('')).join('|'), 'gi');
}

/** Takes keys out of what others wrote, and what would forge lines in a log; keeps it to a readable length. */
export class Cleaner {
  readonly #keys = new Set<string>();

  /** Keys that are used from now on. They may change while the client lives. */
  add(key: string): void {
    if (key.length >= shortest) this.#keys.add(key);
  }

  /** Without keys, and at most 1000 characters. */
  readonly body = (text: string): string =>
    // The longer first, in case that one key begins with the other.
    [...this.#keys]
      .sort((a, b) => b.length - a.length)
      .reduce((rest, key) => rest.replace(pattern(key), '[key]'), text.slice(0, looked))
      .slice(0, longestText);

  /** The same on one line. */
  readonly text = (text: string): string => this.body(text).replace(/\p{Cc}+/gu, ' ');
}
