/** Equal parts of what was answered are kept once: most of what one reading shows the one before it showed. */
import { isFields } from '../outcome/read.js';

/** About what a value takes beside the letters of texts, in bytes. */
const valueBytes = 48;
const letterBytes = 2;

/**
 * A JSON value of which parts that a known one has are the known one's. How many bytes it takes beside those is added to
 * `taken`.
 */
export function shared(value: unknown, known: unknown, taken = { bytes: 0 }): unknown {
  if (value === known) return known;
  if (typeof value === 'string') taken.bytes += value.length * letterBytes;
  const isSame =
    typeof value === 'object' &&
    value !== null &&
    (Array.isArray(value)
      ? shareItems(value, Array.isArray(known) ? known : undefined, taken)
      : shareFields(value as Record<string, unknown>, isFields(known) ? known : undefined, taken));
  if (isSame) return known;
  taken.bytes += valueBytes;
  return value;
}

type Taken = { bytes: number };

/** Tells whether it says what the known one says, in the same order. */
function shareFields(
  fields: Record<string, unknown>,
  known: Readonly<Record<string, unknown>> | undefined,
  taken: Taken,
): boolean {
  const names = Object.keys(fields);
  const order = known ? Object.keys(known) : [];
  let isSame = known !== undefined && order.length === names.length;
  for (let place = 0; place < names.length; place += 1) {
    const name = names[place] as string;
    const before = known && Object.hasOwn(known, name) ? known[name] : undefined;
    const part = shared(fields[name], before, taken);
    if (part !== fields[name]) fields[name] = part;
    isSame &&= order[place] === name && part === before;
  }
  return isSame;
}

/** As above. A list has no names: to ask for those of a long one takes more than the list. */
function shareItems(items: unknown[], known: readonly unknown[] | undefined, taken: Taken): boolean {
  let isSame = known?.length === items.length;
  for (const [place, item] of items.entries()) {
    const part = shared(item, known?.[place], taken);
    items[place] = part;
    isSame &&= part === known?.[place];
  }
  return isSame;
}
