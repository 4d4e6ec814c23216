/** The candidate that a misspelled name most likely meant: at most three edits and half of the name away. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: edits(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= 3 && best.edits <= name.length / 2 ? best.candidate : undefined;
}

/** "did you mean this?", or what there is. */
export function wayOut(name: string, candidates: readonly string[]): string {
  const meant = nearest(name, candidates);
  return meant ? `did you mean ${meant}?` : `there is ${candidates.join(', ')}.`;
}

/** Levenshtein's distance, row by row. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min((row[j] ?? 0) + Number(letter !== other), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}
