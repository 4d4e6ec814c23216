import { isObject } from '../../common/values.js';
import type { Behaviour } from '../behaviour/index.js';
import { Refusal } from '../errors.js';

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly bodyDepth: number;
}

/**
 * Reads a body: a JSON value, or undefined if there is none; and its size in bytes. Throws a Refusal if it is too large or
 * too deep, of another media type, or malformed.
 */
export async function readBody(
  request: Request,
  limits: BodyLimits,
  { mediaTypeOf, parseBody }: Pick<Behaviour, 'mediaTypeOf' | 'parseBody'>,
): Promise<{ value: unknown; size: number }> {
  const bytes = await readBytes(request, limits.bodyBytes).catch((error: unknown) => {
    throw error instanceof Refusal ? error : new Refusal(400, 'The body was cut off.');
  });
  if (bytes.byteLength === 0) return { value: undefined, size: 0 };
  const type = mediaTypeOf(request.headers.get('content-type'));
  if (type instanceof Refusal) throw type;
  const value = type === 'json' ? parseBody(bytes) : {};
  if (isDeeper(value, limits.bodyDepth))
    throw new Refusal(400, `The body is nested more than ${limits.bodyDepth} levels deep.`);
  return { value, size: bytes.byteLength };
}

/** Reads at most `limit` bytes. A body that announces more is not read at all. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () => new Refusal(413, `The body is larger than ${limit} bytes.`);
  const announced = request.headers.get('content-length');
  if (announced !== null && /^\d+$/.test(announced)) {
    if (Number(announced) > limit) throw tooLarge();
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > limit) throw tooLarge();
    return bytes;
  }
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}
