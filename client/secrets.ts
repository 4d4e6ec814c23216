// A shorter key would be found in words.
const shortest = 6;
const longestText = 1000;
// Of a longer text only so much is looked at: more is not shown, however much the keys in it take.
const looked = 20 * longestText;
// A key may be another for each request; those of long ago are in no answer.
const mostKeys = 100;

/** Of texts as they stand, none; and percent-encoded, escaped in JSON, or as entities of HTML. */
const escapes = ['(?!)', '%[\\da-f]{2}|\\\\u00[\\da-f]{2}|&#x0*[\\da-f]{2};|&#\\d+;|\\\\.'];

/** The one character that is meant. */
function meant(one: string): string {
  const number = one.replace(/%|\\u|&#x/i, '0x').replace(/&#|;/g, '');
  return (one.length < 3 ? one.slice(-1) : String.fromCharCode(Number(number))).toLowerCase().charAt(0);
}

const hexadecimal = (text: string) => text.replace(/./g, (one) => one.charCodeAt(0).toString(16));

/** Takes keys out of what others wrote, and what would forge lines in a log; keeps it to a readable length. */
export class Cleaner {
  readonly #keys = new Set<string>();

  /** A key that is used from now on. */
  add(key: string): void {
    if (key.length >= shortest) this.#keys.add(key);
    for (const oldest of this.#keys) if (this.#keys.size > mostKeys) this.#keys.delete(oldest);
  }

  /** Without keys, and at most 1000 characters. */
  readonly body = (said: string): string => {
    let text = said.slice(0, looked);
    const forms = [...this.#keys]
      .flatMap((key) => [key, btoa(key).replace(/=+$/, ''), hexadecimal(key)])
      .map((form) => form.toLowerCase());
    for (const escaped of escapes) {
      // Character by character takes long, and hardly any text holds a key.
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

  /** The same on one line. */
  readonly text = (text: string): string => this.body(text).replace(/\p{Cc}+/gu, ' ');
}
