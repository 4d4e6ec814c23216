/** Writes a request as a curl command. */

import { isKeyHeader } from '../outcome/read.js';
import { redacted } from '../rule/values.js';
import type { Credential, Exchange } from '../vocabulary.js';

/** Headers that curl sets by itself, or that only browsers set. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent|referer|sec-.*)$/i;
/** Other names are not valid in HTTP/1 (`:authority`), or would make curl read a file (`@name`). */
const token = /^[\w!#%&'*+.^|~-]+$/;
/** Linux limits arguments to 128 KiB; the shell's builtin printf has no such limit. */
const longestArgument = 100_000;

/** Altered keys, as shell expansions of the primary one. */
const spoilt: { readonly [credential in Credential]?: string } = {
  restricted: '$RESTRICTED_KEY',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a shell that expands it.
  cut: '${WORKFLOW_API_KEY%????}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
  ended: '${WORKFLOW_API_KEY%?}x',
  recased: '$(printf %s "$WORKFLOW_API_KEY" | tr A-Za-z a-zA-Z)',
};

/**
 * A bash command that sends the request again. Keys are the variables `WORKFLOW_API_KEY` and `RESTRICTED_KEY`; for
 * another redacted header, its name in capitals; for a value that the report masks, `MASKED_1` and so on.
 */
export function curl({ request, mark }: Pick<Exchange, 'request' | 'mark'>): string {
  const body = bodyText(request.body);
  const keyVariable = spoilt[mark?.credential as keyof typeof spoilt] ?? '$WORKFLOW_API_KEY';
  const headers = Object.entries(request.headers).filter(([name]) => token.test(name) && !ownHeaders.test(name));
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const viaPipe = body !== undefined && (body.includes('\0') || Buffer.byteLength(body) > longestArgument);
  const words = [
    'curl -sS -i',
    ...how(request, body !== undefined),
    ...headers.map(([name, value]) => `-H ${header(name, value, keyVariable)}`),
    // Otherwise curl would send it as a form.
    ...(body !== undefined && !typed ? ["-H 'Content-Type:'"] : []),
    ...(body === undefined ? [] : [viaPipe ? '--data-binary @-' : `--data-raw ${withVariables(body)}`]),
  ];
  return `${viaPipe ? `printf '%b' ${withVariables(escapeForPrintf(body))} | ` : ''}${words.join(' ')}`;
}

function how({ method, url }: Exchange['request'], hasBody: boolean): string[] {
  return [
    // The path is sent unchanged, including dots, brackets and braces.
    ...(/\/(\.|%2e)/i.test(url) ? ['--path-as-is'] : []),
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(method === 'HEAD' ? ['--head'] : method === 'GET' && !hasBody ? [] : [`-X ${quote(method)}`]),
    // Protects against a URL in a recording that looks like an option.
    /^https?:/.test(url) ? quote(url) : `--url ${quote(url)}`,
  ];
}

function header(name: string, value: string, keyVariable: string): string {
  if (value === '') return quote(`${name};`);
  const variable = isKeyHeader(name) ? keyVariable : `$${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
  if (value === redacted) return `"${name}: ${variable}"`;
  return `${name}: ${value}`
    .split(redacted)
    .map((piece) => (piece === '' ? '' : quote(piece)))
    .join(`"${variable}"`);
}

const bodyText = (body: Exchange['request']['body']): string | undefined =>
  body.kind === 'json' ? JSON.stringify(body.value) : body.kind === 'not-json' ? body.text : undefined;

const plain = /^[\w@%+=:,./-]+$/;
// Characters that a terminal or a line editor hides or drops: controls, bidi and zero-width characters, separators.
const special = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFE\uFFFF]/u;
const specials = new RegExp(special, 'gu');

/** One word of bash that stands for exactly this text. */
export function quote(text: string): string {
  if (plain.test(text)) return text;
  if (!special.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replaceAll(/[\\']|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFE\uFFFF]/gu, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\\' || character === "'") return `\\${character}`;
    return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  });
  return `$'${escaped}'`;
}

/** A word for this text, with variables for values that the report masks. */
const withVariables = (text: string): string =>
  text
    .split(/\[(masked|signed) (\d+)\]/)
    .map((piece, place, all) => {
      if (place % 3 === 0) return piece === '' && all.length > 1 ? '' : quote(piece);
      return place % 3 === 1 ? `"$${piece.toUpperCase()}_` : `${piece}"`;
    })
    .join('');

/** Octal escapes for printf, which every shell supports. */
const escapeForPrintf = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(specials, (character) =>
      [...Buffer.from(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join(''),
    );
