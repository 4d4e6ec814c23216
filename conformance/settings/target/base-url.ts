/** What is wrong with a base URL, as the end of a sentence; undefined where nothing is. Does not repeat it: it may hold a secret. */
export function baseUrlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL such as https://staging.example.com.';
  const { protocol, username, password, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://.';
  if (username || password) return 'must hold no user name and no password: keys come from environment variables.';
  if (/[?#]/.test(text)) return 'must end before any ? or #.';
  if (/\/agents(\/(v2(\/.*)?)?)?$/.test(pathname))
    return 'must end before /agents/v2, which every operation begins with.';
  return undefined;
}

/** Whether a request to this URL leaves the machine. */
export function isLoopback(url: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** Whether whoever is on the way could read what is sent. */
export const isReadable = (url: string): boolean => new URL(url).protocol === 'http:' && !isLoopback(url);
