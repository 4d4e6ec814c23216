import { nearest } from '../common/nearest.js';

/** The hint at the end of the message for a glob that matches no id. */
export function suggestionFor(glob: string, ids: readonly string[]): string {
  const meant = nearest(glob, ids) ?? (ids.some((id) => id.startsWith(glob)) ? `"${glob}*"` : undefined);
  return meant ? `did you mean ${meant}?` : '"npx workflow-execution-contract rules" lists every id.';
}

/** Whether a glob matches an id; `*` stands for any text, all other characters for themselves. */
export function matchesGlob(id: string, glob: string): boolean {
  const [first = '', ...others] = glob.split('*');
  const last = others.pop();
  if (last === undefined) return id === glob;
  if (!id.startsWith(first)) return false;
  // Match each part as early as possible, to leave the most text for those after it.
  let at = first.length;
  for (const part of others) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return id.length - last.length >= at && id.endsWith(last);
}
