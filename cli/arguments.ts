/** Parsers of option values: each returns the value, or throws what commander shows as a usage error. */

import { InvalidArgumentError } from 'commander';
import { longestTimerMs } from '../conformance/engine/send/clock.js';
import { milliseconds } from '../conformance/engine/settings/file.js';

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** Parses names separated by commas, of an option that may be repeated. */
export function list(value: string, before: readonly string[] = []): string[] {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  // Probably an unset variable: taking all then would not be what was meant.
  if (names.length === 0) throw new InvalidArgumentError('It is empty.');
  return [...before, ...names];
}

/** Parses the value of `--port`; 0 stands for any free port. */
export function port(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    throw new InvalidArgumentError('A port must be a number from 0 to 65535.');
  return Number(value);
}

/** Parses a duration such as `90s`, `15m` or `1h30m` to whole milliseconds. */
export function duration(value: string): number {
  const ms = milliseconds(value);
  if (ms === undefined)
    throw new InvalidArgumentError('A duration must be a number and its unit, such as 90s, 15m or 1h30m.');
  // Timers take no more.
  if (ms < 1 || ms > longestTimerMs)
    throw new InvalidArgumentError('A duration must be more than 0 and at most 24 days.');
  return ms;
}

const sizes: Readonly<Record<string, number>> = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };

/** Parses a size such as `64MB` or `2GB` to bytes. */
export function size(value: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6})(KB|MB|GB)$/i.exec(value) ?? [];
  const bytes = Number(number) * (sizes[unit.toLowerCase()] ?? 0);
  if (bytes === 0) throw new InvalidArgumentError('A size must be a number and its unit, such as 64MB or 2GB.');
  return bytes;
}
