/** Generates requests that may be anything, on unknown ids, so that they do no harm, whatever a service does. */
import fc from 'fast-check';
import { type OperationId, operationIds, operations } from '../../../generated/operations.js';
import { isHarmless } from '../known-places.js';
import { schemas } from '../schemas.js';

export interface ArbitraryRequest {
  readonly operation: OperationId;
  /** Undefined: a made-up UUID. */
  readonly id: string | undefined;
  /** The body as it is sent; undefined: none. */
  readonly text: string | undefined;
}

const json = (value: unknown) => JSON.stringify(value);
const oddTexts = fc.constantFrom(
  '\u0000',
  '\u202e',
  '../..',
  '%00',
  "' OR 1=1 --",
  '{{7*7}}',
  '\ud800',
  '𝕬',
  '<script>',
  '__proto__',
);
/** When a failure is shrunk, the simplest kind is tried first. */
const simplest = { withCrossShrink: true };
/** Any code point except surrogates; the simplest is "a". fast-check's own generator takes tens of megabytes. */
const [halves, a, codePoints] = [0x800, 0x61, 0x110000];
const anyCharacter = fc.nat(codePoints - halves - 1).map((place) => {
  const point = (place + a) % (codePoints - halves);
  return String.fromCodePoint(point < 0xd800 ? point : point + halves);
});
const text = fc.oneof(
  simplest,
  fc.string({ unit: anyCharacter }),
  oddTexts,
  fc.string({ minLength: 300, maxLength: 400 }),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  simplest,
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.constant(null),
  fc.double({ noNaN: true }),
);

const names = operationIds.flatMap((operation) => schemas.requestFields(operation).map(({ path }) => String(path[0])));
const key = fc.oneof(
  fc.constantFrom(...new Set(names)),
  fc.constantFrom('__proto__', 'constructor', 'toString', ''),
  fc.string(),
);

const object = fc.dictionary(key, value, { maxKeys: 6 }).map(json);
/** The same key twice: which one counts is undefined. */
const twice = fc.tuple(key, value, value).map(([name, a, b]) => `{${json(name)}:${json(a)},${json(name)}:${json(b)}}`);
const deep = fc.integer({ min: 1, max: 3000 }).map((depth) => `{"inputs":${'['.repeat(depth)}${']'.repeat(depth)}}`);
const broken = fc.tuple(object, fc.nat()).map(([whole, at]) => whole.slice(0, at % whole.length));
const body = fc.oneof(simplest, { weight: 4, arbitrary: object }, value.map(json), twice, deep, broken, fc.string());

/** Ids that are no UUID, but do not change the path, as ".", ".." and an empty one would. */
const oddId = text.filter((id) => !/\p{Surrogate}/u.test(id) && !/^\.{0,2}$/.test(id));

/** Without an id to make up, a request may do something. */
const harmless = operationIds.filter(isHarmless);

export const arbitraryRequest: fc.Arbitrary<ArbitraryRequest> = fc.constantFrom(...harmless).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    id: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: oddId }),
    text:
      operations[operation].requestBody === 'none'
        ? fc.constant(undefined)
        : fc.option(body, { nil: undefined, freq: 9 }),
  }),
);
