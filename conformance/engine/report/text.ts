/** Text from a target is never trusted: what it may do in a terminal, in XML, in HTML and in Markdown is to be read. */

/**
 * One line on which every character can be seen: control characters, format characters (bidi overrides, zero-width
 * ones), line separators, lone surrogates and the two others that XML 1.0 forbids are written as JSON writes them.
 * Refers to nothing outside itself, because the HTML report carries its source.
 */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFE\uFFFF]/gu, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });

/** As `visible`, but lines stay lines. */
const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and attributes of HTML and XML alike. Lines stay lines. */
export const markup = (text: string): string =>
  visibleLines(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** A code span of Markdown that fits into a table cell too. In one, no mention, link or HTML comes alive. */
export function codeSpan(text: string): string {
  const line = visible(text).replaceAll('|', '\\|');
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return line === '' ? '' : `${fence}${pad}${line}${pad}${fence}`;
}

/** A fenced block of Markdown. */
export function codeBlock(text: string, language: string): string {
  const lines = visibleLines(text);
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}${language}\n${lines}\n${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));

/** Cuts a text that is longer than `length` characters, and says so. */
export const shorten = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)} … (${text.length - length} characters more)` : text;

/**
 * JSON as every tool reads it: half of a surrogate pair, which stands for no character, is written as its code in plain
 * letters. Takes what JSON.stringify writes.
 */
export const wholeCharacters = (json: string): string =>
  json.replace(
    /(\\\\)|\\(u[dD][89a-fA-F][\da-fA-F]{2})/g,
    (_, backslashes: string | undefined, code: string) => backslashes ?? `\\\\${code}`,
  );
