import type { Change } from './changes.js';

/** The changes for a reader: the breaking ones first, each with its place and what changed there. */
export function diffText(changes: readonly Change[], since: string): string {
  if (changes.length === 0) return `The contract is as it was at ${since}.\n`;
  const breaking = changes.filter((change) => change.breaking);
  const others = changes.filter((change) => !change.breaking);
  return [
    section('Breaking', breaking),
    section('Not breaking', others),
    `Since ${since}: ${breaking.length} breaking, ${others.length} not breaking.\n`,
  ].join('');
}

function section(title: string, changes: readonly Change[]): string {
  const entries = changes.map(({ pointer, says, uses }) => `  ${place(pointer)}${who(uses)}\n      ${says}\n`);
  return entries.length === 0 ? '' : `${title}\n${entries.join('')}\n`;
}

const who = (uses: Change['uses']) => (uses.length > 0 ? `  (${[...uses].sort().join(' and ')})` : '');

/** `GET /agents/v2/… responses/404`, or `schemas/Cookie/properties/expiry`. */
function place(pointer: string): string {
  const decode = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');
  const [root = '', ...parts] = pointer.replace(/^#\//, '').split('/').map(decode);
  if (root === 'components') return parts.join('/');
  const [path, second = '', ...rest] = parts;
  if (root !== 'paths' || !methods.has(second)) return [root, ...parts].join('/');
  return `${second.toUpperCase()} ${path} ${rest.join('/')}`.trim();
}

const methods = new Set(['get', 'put', 'post', 'delete', 'patch']);
