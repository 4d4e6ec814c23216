import { redacted } from '../evidence/redact.js';
import type { Credential, Exchange } from '../vocabulary.js';

/** What curl sends by itself, or must work out anew. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent)$/i;
/** A name that is no token is none of HTTP/1 (`:authority`), or would tell curl to read a file (`@name`). */
const token = /^[\w!#%&'*+.^|~-]+$/;
const keyHeaders = /^(x-api-key|x-service-agents-api-key)$/i;
/** Linux takes no argument of 128 KiB; a shell's own printf knows no such limit. */
const longestArgument = 100_000;

/** The keys of other credentials than the full one, as bash makes them of variables. */
const spoilt: { readonly [credential in Credential]?: string } = {
  restricted: '$RESTRICTED_KEY',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash that expands it.
  cut: '${WORKFLOW_API_KEY%????}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
  altered: 'x${WORKFLOW_API_KEY#?}',
  recased: '$(tr A-Za-z a-zA-Z <<< "$WORKFLOW_API_KEY")',
};

/**
 * One bash command that sends the request of an exchange again. Keys are shell variables: `WORKFLOW_API_KEY`,
 * `RESTRICTED_KEY`, and for another redacted header its name in capitals.
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
    // Without this, curl would call it a form.
    ...(body !== undefined && !typed ? ["-H 'Content-Type:'"] : []),
    ...(body === undefined ? [] : [viaPipe ? '--data-binary @-' : `--data-raw ${quote(body)}`]),
  ];
  return `${viaPipe ? `printf '%b' ${quote(escapeForPrintf(body))} | ` : ''}${words.join(' ')}`;
}

function how({ method, url }: Exchange['request'], hasBody: boolean): string[] {
  return [
    // The path is sent as it stands, with its dots; brackets and braces are no patterns.
    ...(/\/(\.|%2e)/i.test(url) ? ['--path-as-is'] : []),
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(method === 'HEAD' ? ['--head'] : method === 'GET' && !hasBody ? [] : [`-X ${quote(method)}`]),
    // Whatever a recording calls a URL, it is no option.
    /^https?:/.test(url) ? quote(url) : `--url ${quote(url)}`,
  ];
}

function header(name: string, value: string, keyVariable: string): string {
  if (value === '') return quote(`${name};`);
  const variable = keyHeaders.test(name) ? keyVariable : `$${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
  if (value === redacted) return `"${name}: ${variable}"`;
  return `${name}: ${value}`
    .split(redacted)
    .map((piece) => (piece === '' ? '' : quote(piece)))
    .join(`"${variable}"`);
}

const bodyText = (body: Exchange['request']['body']): string | undefined =>
  body.kind === 'json' ? JSON.stringify(body.value) : body.kind === 'not-json' ? body.text : undefined;

const plain = /^[\w@%+=:,./-]+$/;
// What a terminal or a shell's line editor would not show or keep: controls, bidi and zero-width characters, separators.
const special = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFE\uFFFF]/u;

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

/** A shell word cannot hold NUL, but printf can write one. */
const escapeForPrintf = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0000');
