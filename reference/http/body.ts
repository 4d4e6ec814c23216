import type { Behaviour } from '../behaviour/index.js';
import { Refusal } from '../errors.js';

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly bodyDepth: number;
}

/**
 * Reads a JSON body: its value, undefined where there is no body, and its bytes. Throws the refusal of one that is too
 * large, of another media type, or no JSON.
 */
export async function readJson(
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

/** Never holds more than the limit: a body that says it is larger is not read at all. */
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
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}
