/** Reads JSON reports. */
import { UserError } from '../../../common/user-error.js';
import { report as validate } from '../../../generated/reports.js';
import { isFields } from '../outcome/read.js';
import type { Report } from '../vocabulary/report.js';

/** The version of reports that is written and read. */
export const reportVersion = 3;

/** A file given as a report is none. */
export class ReportError extends UserError {
  override name = 'ReportError';
}

const wayOut = 'one is written by check --report json=FILE';

/** Reads a JSON report. Throws a ReportError with the file and what is wrong with it. */
export function readReport(text: string, file: string): Report {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ReportError(`${file}: not JSON; a report is written by check --report json=FILE.`);
  }
  if (!isFields(value) || !('verdict' in value)) throw new ReportError(`${file}: not a report; ${wayOut}.`);
  if (value.version !== reportVersion)
    throw new ReportError(
      `${file} is a report of version ${JSON.stringify(value.version)}, and this command reads version ${reportVersion}; ${wayOut}.`,
    );
  const fault = faultOf(value);
  if (fault) throw new ReportError(`${file}: not a report: ${fault}; ${wayOut}.`);
  return value as unknown as Report;
}

/** What is wrong with a report, without quoting its values. */
function faultOf(value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || 'it'} ${error?.message}`;
}
