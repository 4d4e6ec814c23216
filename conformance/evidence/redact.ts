export const redacted = '[redacted]';

/** A shorter key would be found everywhere in a body by chance. */
const shortestKey = 4;

/** Takes every key that a run holds out of a text, also as JSON or a URL writes it. */
export class Redactor {
  readonly #secrets: ReadonlySet<string>;
  readonly #needles: readonly string[];

  constructor(secrets: readonly string[]) {
    this.#secrets = new Set(secrets);
    const forms = secrets
      .filter((secret) => secret.length >= shortestKey)
      .flatMap((secret) => [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64'),
      ]);
    // The longest first, so that no part of a key stays behind.
    this.#needles = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  text(text: string): string {
    let clean = text;
    for (const needle of this.#needles) clean = clean.replaceAll(needle, redacted);
    return clean;
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [this.text(name), this.text(value)]));
  }

  /** Headers that the run sends: what is a key there is no chance, however short it is. */
  sent(headers: Readonly<Record<string, string>>): Record<string, string> {
    const known = Object.entries(headers).map(([name, value]) => [name, this.#secrets.has(value) ? redacted : value]);
    return this.headers(Object.fromEntries(known));
  }
}
