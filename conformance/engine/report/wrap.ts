/** Wraps a text to `width` columns, indented by `indent`, then `hanging`. Splits words that are too long. */
export function wrap(text: string, width: number, indent = 0, hanging = indent): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(indent);
  let empty = true;
  const room = Math.max(width, hanging + 10);
  const next = () => {
    lines.push(line.trimEnd());
    line = ' '.repeat(hanging);
    empty = true;
  };
  for (const word of text.split(/ +/)) {
    if (!empty && line.length + 1 + word.length > room) next();
    let rest = empty ? word : ` ${word}`;
    while (line.length + rest.length > room) {
      const fits = room - line.length;
      line += rest.slice(0, fits);
      rest = rest.slice(fits);
      next();
    }
    line += rest;
    if (rest !== '') empty = false;
  }
  return [...lines, line.trimEnd()];
}

/** A list that may be shortened, so that the report fits on one screen. */
export interface Listing {
  readonly title: string;
  /** The lines of each entry. */
  readonly entries: readonly (readonly string[])[];
}

/** More than this is better read in a report. */
const most = 5;

/** The lists in at most `room` lines: as many entries of each as fit, and the number of the others. */
export function fitted(room: number, listings: readonly Listing[]): string[] {
  for (let shown = most; shown > 0; shown -= 1) {
    const lines = listed(listings, shown);
    if (lines.length <= room) return lines;
  }
  return ['', ...listings.map(({ title, entries }) => `${title}: ${entries.length}`)];
}

/** The lists with up to `shown` entries each. */
export function listed(listings: readonly Listing[], shown = Number.POSITIVE_INFINITY): string[] {
  return listings.flatMap(({ title, entries }) => {
    const left = entries.length - shown;
    return [
      '',
      title,
      ...entries.slice(0, shown).flat(),
      ...(left > 0 ? [`  and ${left} more: a report has them.`] : []),
    ];
  });
}
