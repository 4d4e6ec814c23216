/** Writes a report in any format. */
import type { Report, ReportFormat } from '../vocabulary/report.js';
import { har } from './har.js';
import { html } from './html.js';
import { json } from './json.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';

export interface ReportOptions {
  readonly strict?: boolean;
}

type Writer = (report: Report, options: ReportOptions) => Iterable<string>;

const writers: Readonly<Record<ReportFormat, Writer>> = {
  json,
  junit: (report, options) => [junit(report, options)],
  markdown: (report, options) => [markdown(report, options)],
  html,
  har,
};

/** A report in one format, in pieces: that of a long run may be too long for a string. */
export const reportPieces = (format: ReportFormat, report: Report, options: ReportOptions = {}): Iterable<string> =>
  writers[format](report, options);

export const writeReport = (format: ReportFormat, report: Report, options: ReportOptions = {}): string =>
  [...reportPieces(format, report, options)].join('');
