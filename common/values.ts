export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export type Fields = Readonly<Record<string, unknown>>;

/** Whether it is an object and no list. */
export const isFields = (value: unknown): value is Fields => isObject(value) && !Array.isArray(value);

export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

/** Whether a media type is JSON. A gateway may repeat it. https://mimesniff.spec.whatwg.org/#json-mime-type */
export const isJsonType = (type: string): boolean =>
  /^\s*(?:(?:application|text)\/json|[^\s;/]+\/[^\s;,]+\+json)\s*(?:[;,]|$)/i.test(type);

/** Converts the text of a parameter to a value of its type; returns the text itself if it is none. */
export function meaningOf(text: string, type: string): unknown {
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}
