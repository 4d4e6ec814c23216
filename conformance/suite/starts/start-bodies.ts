/** Bodies of starts. Their free fields carry a marker, which tells starts apart, and test values. */
import { type Fields, isFields } from '../../engine/outcome/read.js';
import { equal } from '../../engine/rule/values.js';

/** The body with nothing but the marker in its free fields; undefined if it is like that already. */
export function withoutMaterial(body: unknown): Fields | undefined {
  if (!isFields(body)) return undefined;
  const plain = withMarked(body, ({ conformanceMarker }) => ({ conformanceMarker }));
  return equal(plain, body) ? undefined : plain;
}

/** The same body with another marker, to start another execution. */
export const withAnotherMarker = (body: unknown, marker: string): unknown =>
  isFields(body) ? withMarked(body, (value) => ({ ...value, conformanceMarker: marker })) : body;

const withMarked = (body: Fields, change: (value: Fields) => Fields): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      isFields(value) && 'conformanceMarker' in value ? change(value) : value,
    ]),
  );
