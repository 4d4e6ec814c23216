/** Reads the body of an answer as text. Returns undefined as soon as it exceeds `limit` bytes. */
export async function readText(response: Response, limit: number): Promise<string | undefined> {
  const { body, headers } = response;
  const told = headers.get('Content-Length');
  // Content-Length counts compressed bytes, so it is no limit for a compressed body.
  const fits = told !== null && Number(told) <= limit && !headers.get('Content-Encoding');
  // The body of another fetch may be a stream of Node, or missing.
  if (fits || !body?.getReader) {
    const text = await response.text();
    return fits || text.length <= limit ? text : undefined;
  }
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > limit) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
