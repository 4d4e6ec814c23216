/** Bodies of starts, told apart by the marker that each carries among what is sent in free fields. */
import { type Fields, isFields } from '../../engine/outcome/read.js';
import { equal } from '../../engine/rule/values.js';

/** The body without what is sent in free fields, but for the marker; undefined where there is no more in it. */
export function withoutMaterial(body: unknown): Fields | undefined {
  if (!isFields(body)) return undefined;
  const plain = withMarked(body, ({ conformanceMarker }) => ({ conformanceMarker }));
  return equal(plain, body) ? undefined : plain;
}

/** The body of a start like it, of an execution of its own. */
export const another = (body: unknown, marker: string): unknown =>
  isFields(body) ? withMarked(body, (value) => ({ ...value, conformanceMarker: marker })) : body;

const withMarked = (body: Fields, change: (value: Fields) => Fields): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      isFields(value) && 'conformanceMarker' in value ? change(value) : value,
    ]),
  );
