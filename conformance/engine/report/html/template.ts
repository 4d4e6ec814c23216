/** A template for HTML that escapes its values. */
import { markup } from '../text.js';

/** Markup that needs no escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | false | undefined | readonly Html[];

/** An HTML template. Escapes every value that is not Html; `false` and `undefined` become nothing. */
export const h = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((text, part, index) => text + write(values[index - 1]) + part));

function write(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : markup(String(value));
}

export const join = (items: readonly Html[], separator: string): Html =>
  new Html(items.map(({ text }) => text).join(markup(separator)));
