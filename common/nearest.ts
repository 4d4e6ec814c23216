/** The most likely candidate for a misspelled name, and the words of a message about it. */

/** How many characters have to be added, removed or replaced. */
function editsBetween(one: string, other: string): number {
  let row = [...other, ''].map((_, place) => place);
  for (const character of one) {
    const next = [(row[0] ?? 0) + 1];
    for (const [place, wanted] of [...other].entries()) {
      const replaced = (row[place] ?? 0) + (character === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/**
 * The only candidate that begins with the name, or else the closest one within three edits, of a long name a quarter of
 * its length, and of a short one half.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const [longer, ...others] = name.length < 3 ? [] : candidates.filter((candidate) => candidate.startsWith(name));
  if (longer !== undefined && others.length === 0) return longer;
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(name.length / 2, Math.max(3, name.length / 4)) ? best.candidate : undefined;
}

/** "did you mean this?", or else what helps to find the name. */
export function suggestion(
  name: string,
  candidates: readonly string[],
  otherwise = `use one of ${candidates.join(', ')}.`,
): string {
  const meant = nearest(name, candidates);
  return meant === undefined ? otherwise : `did you mean ${meant}?`;
}
