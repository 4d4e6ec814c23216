/** Equal parts of what was answered are kept once: most of what one reading shows the one before it showed. */
import { isFields } from './read.js';

/** About what a value takes beside the letters of texts, in bytes. */
const valueBytes = 48;
const letterBytes = 2;

/** A JSON value of which parts that a known one has are the known one's, and how many bytes it takes beside those. */
export function shared(value: unknown, known: unknown): { readonly value: unknown; readonly bytes: number } {
  if (value === known) return { value: known, bytes: 0 };
  if (typeof value === 'string') return { value, bytes: valueBytes + value.length * letterBytes };
  if (typeof value !== 'object' || value === null) return { value, bytes: valueBytes };
  if (Array.isArray(value)) return sharedItems(value, Array.isArray(known) ? known : undefined);
  const like = isFields(known);
  const names = Object.keys(value);
  let bytes = valueBytes;
  let isSame = like && Object.keys(known as object).length === names.length;
  const parts = value as Record<string, unknown>;
  const order = isSame ? Object.keys(known as object) : [];
  for (let place = 0; place < names.length; place += 1) {
    const name = names[place] as string;
    const before = like && Object.hasOwn(known as object, name) ? (known as typeof parts)[name] : undefined;
    const part = shared(parts[name], before);
    parts[name] = part.value;
    bytes += part.bytes;
    isSame &&= order[place] === name && part.value === before;
  }
  return isSame ? { value: known, bytes: 0 } : { value, bytes };
}

/** As above. A list has no names: to ask for those of a long one takes more than the list. */
function sharedItems(items: unknown[], known: readonly unknown[] | undefined): ReturnType<typeof shared> {
  let bytes = valueBytes;
  let isSame = known?.length === items.length;
  for (const [place, item] of items.entries()) {
    const part = shared(item, known?.[place]);
    items[place] = part.value;
    bytes += part.bytes;
    isSame &&= part.value === known?.[place];
  }
  return isSame ? { value: known, bytes: 0 } : { value: items, bytes };
}
