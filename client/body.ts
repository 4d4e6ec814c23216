/** The text of an answer of at most so many bytes; undefined where it has more, before they are all there. */
export async function readText(response: Response, limit: number): Promise<string | undefined> {
  const { body, headers } = response;
  const told = headers.get('Content-Length');
  // An encoded body may be longer than it says.
  if (!body || (told !== null && Number(told) <= limit && !headers.get('Content-Encoding'))) return response.text();
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
