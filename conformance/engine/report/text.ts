/** Escapes texts of the target, which are never trusted, for terminals, XML, HTML and Markdown. */

/**
 * One line with all characters visible: control and format characters (bidi overrides, zero-width), line separators,
 * lone surrogates and two others that XML 1.0 forbids are escaped as in JSON. Uses nothing outside the function, since
 * its source is put into the HTML report.
 */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFE\uFFFF]/gu, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });

/** As `visible`, but keeps line breaks. */
const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and attributes in HTML and XML. Keeps line breaks. */
export const markup = (text: string): string =>
  visibleLines(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** A Markdown code span that also fits into a table cell. Mentions, links and HTML have no effect in it. */
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

/** Shortens a text to `length` characters, and says so. */
export const shorten = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)} … (${text.length - length} characters more)` : text;

/** JSON that every tool can read: unpaired surrogates become literal escapes. Takes what JSON.stringify writes. */
export const wholeCharacters = (json: string): string =>
  json.replace(
    /(\\\\)|\\(u[dD][89a-fA-F][\da-fA-F]{2})/g,
    (_, backslashes: string | undefined, code: string) => backslashes ?? `\\\\${code}`,
  );

/** Wraps a text to `width` columns, indented by `indent`, then `hanging`. A word that is too long stays whole, so that it can be copied. */
export function wrap(text: string, width: number, indent = 0, hanging = indent): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(indent);
  let empty = true;
  const room = Math.max(width, hanging + 10);
  const next = () => {
    lines.push(line.trimEnd());
    line = ' '.repeat(hanging);
    empty = true;
  };
  for (const word of text.split(/ +/)) {
    if (!empty && line.length + 1 + word.length > room) next();
    line += empty ? word : ` ${word}`;
    if (word !== '') empty = false;
  }
  return [...lines, line.trimEnd()];
}
