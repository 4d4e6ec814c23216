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
