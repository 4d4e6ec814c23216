import { nearest } from '../conformance/settings/nearest.js';

/** The end of what is said of a glob that matches none of the ids. */
export function wayOutFor(glob: string, ids: readonly string[]): string {
  const meant = nearest(glob, ids) ?? (ids.some((id) => id.startsWith(glob)) ? `"${glob}*"` : undefined);
  return meant ? `did you mean ${meant}?` : '"workflow-contract rules" lists every id.';
}

/** Whether an id is matched by a glob; `*` stands for any text, every other character for itself. */
export function matchesGlob(id: string, glob: string): boolean {
  const pattern = glob.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`).test(id);
}
