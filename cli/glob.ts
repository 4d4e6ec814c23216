import { nearest } from '../conformance/engine/settings/nearest.js';

/** The end of what is said of a glob that matches none of the ids. */
export function wayOutFor(glob: string, ids: readonly string[]): string {
  const meant = nearest(glob, ids) ?? (ids.some((id) => id.startsWith(glob)) ? `"${glob}*"` : undefined);
  return meant ? `did you mean ${meant}?` : '"workflow-contract rules" lists every id.';
}

/** Whether an id is matched by a glob; `*` stands for any text, every other character for itself. */
export function matchesGlob(id: string, glob: string): boolean {
  const [first = '', ...others] = glob.split('*');
  const last = others.pop();
  if (last === undefined) return id === glob;
  if (!id.startsWith(first)) return false;
  // Each part as early as it can be: then as much as possible is left for those after it.
  let at = first.length;
  for (const part of others) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return id.length - last.length >= at && id.endsWith(last);
}
