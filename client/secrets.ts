/** Redacts keys in texts from outside, in plain and in encoded form. */

// Shorter keys would match parts of words.
const shortest = 6;
const longestText = 1000;
// Only this much of a text is searched: what is shown is shorter, whatever the redaction removes.
const looked = 20 * longestText;
// Keys may differ for each request; answers do not contain very old ones.
const mostKeys = 100;

/** How a character may be written: first only as it is; then also percent-encoded, or escaped in JSON or HTML. */
const escapes = ['(?!)', '%[\\da-f]{2}|\\\\u00[\\da-f]{2}|&#x0*[\\da-f]{2};|&#\\d+;|\\\\.'];

/** Decodes one character. */
function meant(one: string): string {
  const number = one.replace(/%|\\u|&#x/i, '0x').replace(/&#|;/g, '');
  return (one.length < 3 ? one.slice(-1) : String.fromCharCode(Number(number))).toLowerCase().charAt(0);
}

const hexadecimal = (text: string) => text.replace(/./g, (one) => one.charCodeAt(0).toString(16));

/** Redacts keys, and cuts texts to a readable length. `text` also removes line breaks, which could forge log lines. */
export class Cleaner {
  readonly #keys = new Set<string>();

  /** Adds a key to redact. */
  add(key: string): void {
    if (key.length >= shortest) this.#keys.add(key);
    for (const oldest of this.#keys) if (this.#keys.size > mostKeys) this.#keys.delete(oldest);
  }

  /** The text with keys redacted, at most 1000 characters. */
  readonly body = (said: string): string => {
    let text = said.slice(0, looked);
    const forms = [...this.#keys]
      .flatMap((key) => [key, btoa(key).replace(/=+$/, ''), hexadecimal(key)])
      .map((form) => form.toLowerCase());
    for (const escaped of escapes) {
      // Decoding each character is slow, and hardly any text contains a key.
      const read = text.replace(RegExp(escaped, 'gis'), meant).toLowerCase();
      if (!forms.some((form) => read.includes(form))) continue;
      const characters: string[] = text.match(RegExp(`${escaped}|.`, 'gis')) ?? [];
      const plain = characters.map(meant).join('');
      const hidden = characters.map(() => false);
      for (const form of forms)
        for (let at = plain.indexOf(form); at >= 0; at = plain.indexOf(form, at + form.length))
          hidden.fill(true, at, at + form.length);
      text = characters.map((one, index) => (hidden[index] ? (hidden[index - 1] ? '' : '[key]') : one)).join('');
    }
    return text.slice(0, longestText);
  };

  /** What is sent or comes, on one line: also without the secrets of profiles. */
  readonly line = (text: string): string =>
    this.text(
      text.slice(0, looked).replace(/("(?:data|value|password)"\s*:\s*)"(?:[^"\\]|\\.)*("|$)/g, '$1"[secret]"'),
    );

  /** The same as `body`, on one line. */
  readonly text = (text: string): string => this.body(text).replace(/\p{Cc}+/gu, ' ');
}
