import { distance } from 'fastest-levenshtein';

/** The candidate that a misspelled name most likely meant: at most three edits and half of the name away. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(3, name.length / 2) ? best.candidate : undefined;
}

/** "did you mean this?", or what there is. */
export function wayOut(name: string, candidates: readonly string[]): string {
  const meant = nearest(name, candidates);
  return meant ? `did you mean ${meant}?` : `there is ${candidates.join(', ')}.`;
}
