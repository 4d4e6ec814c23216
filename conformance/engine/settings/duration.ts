const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration such as `90s`, `15m` or `1h30m` in whole milliseconds; undefined where a text is none. */
export function milliseconds(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  return Math.ceil(parts.reduce((sum, [, number = '', unit = '']) => sum + Number(number) * (units[unit] ?? 0), 0));
}
