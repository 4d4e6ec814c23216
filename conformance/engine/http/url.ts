/**
 * What a text says as a URL; undefined where it is none. Not by `URL.canParse`: in Node 20 and 22 it calls every text with
 * an umlaut no URL, once V8 has optimized who asks.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
