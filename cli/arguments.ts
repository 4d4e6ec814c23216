import { InvalidArgumentError } from 'commander';

/** Reads the argument of `--port`; 0 stands for a free port. */
export function port(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return Number(value);
}
