import type { NamedExample } from './examples.js';

/**
 * Completes a `Prefer` header. Prism looks for a named example in the first success only, so the status of the example
 * is added. Returns a problem if the contract cannot meet the preference: Prism would answer something else.
 */
export function completePreference(prefer: string, examples: readonly NamedExample[], statuses: readonly string[]) {
  const example = preference(prefer, 'example');
  const code = preference(prefer, 'code');
  if (code !== undefined && !statuses.some((status) => covers(status, code)))
    return { problem: `Prefer: code=${code} is not a status of this operation; it has ${statuses.join(', ')}.` };
  if (example === undefined) return { prefer };
  const named = examples.filter(({ name }) => name === example);
  const found =
    code === undefined
      ? named[0]
      : named.find(({ status }) => responseOf(statuses, String(status)) === responseOf(statuses, code));
  if (!found) {
    const names = examples.map(({ name, status }) => `${name} (${status})`).join(', ');
    return { problem: `Prefer: example=${example} is not an example of this operation; it has ${names}.` };
  }
  return { prefer: code === undefined ? `${prefer}, code=${found.status}` : prefer };
}

function preference(prefer: string, name: string): string | undefined {
  return new RegExp(`(?:^|[,;])\\s*${name}\\s*=\\s*"?([^",;\\s]+)`, 'i').exec(prefer)?.[1];
}

/** Whether a key of the contract's responses (a status, a range or `default`) covers a status. */
function covers(status: string, code: string): boolean {
  return (
    status === 'default' || status === code || (/^\dXX$/.test(status) && /^\d{3}$/.test(code) && status[0] === code[0])
  );
}

/** The key of the contract's responses for a status: the status itself before its range or `default`. */
export const responseOf = (statuses: readonly string[], code: string): string | undefined =>
  statuses.find((key) => key === code) ?? statuses.find((key) => covers(key, code));
