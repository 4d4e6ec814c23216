import { isFields } from '../evidence/read.js';
import type { Report } from '../vocabulary.js';

/** A file that was named as a report is none. A mistake of whoever named it: `exitCode` is 2. */
export class ReportError extends Error {
  override name = 'ReportError';
  readonly exitCode = 2;
}

const isEntries = (list: unknown): boolean => Array.isArray(list) && list.every(isFields);

/** Reads what `--report json=FILE` wrote. Throws a ReportError that names the file and what is wrong with it. */
export function readReport(text: string, file: string): Report {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ReportError(`${file}: not JSON; a report is written by check --report json=FILE.`);
  }
  if (!isFields(value) || !('verdict' in value) || ![value.rules, value.exchanges, value.gaps].every(isEntries))
    throw new ReportError(`${file}: not a report; one is written by check --report json=FILE.`);
  if (value.version !== 1)
    throw new ReportError(
      `${file}: a report of version ${JSON.stringify(value.version)}; this command reads version 1.`,
    );
  return value as unknown as Report;
}
