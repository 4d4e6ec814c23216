/** A URL that is signed lets in whoever has it: what its query says is nobody else's, wherever in an answer it stands. */

/** Also as JSON and HTML write it in a text. */
const url = /\bhttps?:(?:\\?\/){2}[^\s"'<>?]*\?[^\s"'<>]*/gi;
const parameter = /([?&#;]|\\u0026)([^\s=&?#;\\]+)=([^\s&#;\\]*)/g;
/** `X-Amz-Signature`, `sig`, `access_token`, `Expires`, `Key-Pair-Id`. */
const signing =
  /(?:^|[-_.])(?:sig|signature|signed|token|jwt|hmac|secret|credential|policy|expires|key)(?:$|[-_.])|^x-(?:amz|goog|ms|oss|cos)-|(?:signature|token)$|[a-z](?:Signature|Token)/i;

/** Masks the queries of signed URLs in texts, each value with a number of its own, so that equal ones are seen to be equal. */
export function signedUrlMask(): (text: string) => string {
  const numbers = new Map<string, number>();
  const masked = (value: string): string => {
    if (!numbers.has(value)) numbers.set(value, numbers.size + 1);
    return `[signed ${numbers.get(value)}]`;
  };
  const query = (one: string): string =>
    [...one.matchAll(parameter)].some(([, , name = '']) => signing.test(name))
      ? one.replace(parameter, (_, before: string, name: string, value: string) => `${before}${name}=${masked(value)}`)
      : one;
  return (text) => (text.includes('?') ? text.replace(url, query) : text);
}
