import { nearest } from '../common/nearest.js';

/** The hint at the end of the message for a glob that matches no id. */
export function suggestionFor(glob: string, ids: readonly string[]): string {
  const meant = nearest(glob, ids) ?? (ids.some((id) => id.startsWith(glob)) ? `"${glob}*"` : undefined);
  return meant ? `did you mean ${meant}?` : '"npx workflow-execution-contract rules" lists every id.';
}

/** Whether a glob matches an id; `*` stands for any text, all other characters for themselves. */
export function matchesGlob(id: string, glob: string): boolean {
  const parts = glob.split(/\*+/).map((part) => part.replaceAll(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(id);
}
