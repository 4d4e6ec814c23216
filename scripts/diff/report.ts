import type { Change } from './changes.js';
import type { Consequence } from './consequences.js';

/** The changes as a text: breaking ones first, each with its place and whom it concerns, then what is left to do. */
export function diffText(changes: readonly Change[], consequences: readonly Consequence[], since: string): string {
  if (changes.length === 0) return `The contract is as it was at ${since}.\n`;
  const breaking = changes.filter((change) => change.breaking);
  const clients = changes.filter((change) => change.breaksClients && !change.breaking);
  const others = changes.filter((change) => !change.breaking && !change.breaksClients);
  return [
    section('Breaking', breaking),
    section('Breaking for callers of generated clients alone', clients),
    section('Not breaking', others),
    consequences.length === 0
      ? ''
      : `What this concerns here\n${consequences.map(({ of, names }) => `  ${of}: ${listed(names)}\n`).join('')}\n`,
    `Since ${since}: ${breaking.length} breaking, ${clients.length > 0 ? `${clients.length} for generated clients alone, ` : ''}${others.length} not breaking.\n`,
  ].join('');
}

function section(title: string, changes: readonly Change[]): string {
  const entries = changes.map((change) => {
    const says =
      change.asksMore && !change.breaking ? `${change.says} Services have to do more than before.` : change.says;
    return `  ${place(change.pointer)}${who(change.uses)}\n      ${says}\n`;
  });
  return entries.length === 0 ? '' : `${title}\n${entries.join('')}\n`;
}

/** `(request of execute and executeSync, answers of getExecution)` */
function who(uses: readonly string[]): string {
  const parts = ['request', 'answers'].flatMap((part) => {
    const operations = uses.flatMap((use) => (use.startsWith(`${part} of `) ? [use.slice(part.length + 4)] : []));
    return operations.length > 0 ? [`${part} of ${operations.join(', ')}`] : [];
  });
  return parts.length > 0 ? `  (${parts.join('; ')})` : '';
}

const listed = (names: readonly string[]) =>
  names.length > 12
    ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more (--json has all)`
    : names.join(', ');

/** `GET /agents/v2/… responses/404`, `schemas/Cookie/properties/expiry`, or `rules.yaml head-excludes-version`. */
function place(pointer: string): string {
  const decode = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');
  const [root = '', ...parts] = pointer.replace(/^#\/?/, '').split('/').map(decode);
  if (root === 'components') return parts.join('/');
  const [path, second = '', ...rest] = parts;
  if (root !== 'paths' || !methods.has(second)) return [root, ...parts].join('/').replace('#', ' ');
  return `${second.toUpperCase()} ${path} ${rest.join('/')}`.trim();
}

const methods = new Set(['get', 'put', 'post', 'delete', 'patch']);
