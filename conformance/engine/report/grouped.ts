import { contract } from '../contract.js';

/** Operations that are named where they do alike. */
const mostNamed = 2;

/** What was observed for a gap, equal values of several operations told once: `no, on 7 operations`. */
export function grouped(observed: readonly string[]): string[] {
  const by = new Map<string, string[]>();
  const lines: string[] = [];
  for (const value of observed) {
    const [, operation, what] = /^(\w+): (.*)$/s.exec(value) ?? [];
    if (operation === undefined || what === undefined || !contract().operationIds.some((id) => id === operation))
      lines.push(value);
    else by.set(what, [...(by.get(what) ?? []), operation]);
  }
  return [
    ...lines,
    ...[...by].flatMap(([what, on]) =>
      on.length > mostNamed ? [`${what}, on ${on.length} operations`] : on.map((operation) => `${operation}: ${what}`),
    ),
  ];
}
