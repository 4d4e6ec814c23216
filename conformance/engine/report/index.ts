import type { Report } from '../vocabulary.js';
import type { ReportFormat } from './formats.js';
import { har } from './har.js';
import { html } from './html.js';
import { json } from './json.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';

/** What a report shows beside the run itself. */
export interface ReportOptions {
  /** Whether a broken SHOULD fails the run. */
  readonly strict?: boolean;
  /** Reports of earlier runs; shown by html, beside this one. */
  readonly earlier?: readonly Report[];
}

type Writer = (report: Report, options: ReportOptions) => Iterable<string>;

const writers: Readonly<Record<ReportFormat, Writer>> = {
  json,
  junit: (report, options) => [junit(report, options)],
  markdown: (report, options) => [markdown(report, options)],
  html,
  har,
};

/** The text of a report in one format, in pieces: that of a long run may be longer than a string can be. */
export const reportPieces = (format: ReportFormat, report: Report, options: ReportOptions = {}): Iterable<string> =>
  writers[format](report, options);

/** The text of a report in one format. */
export const writeReport = (format: ReportFormat, report: Report, options: ReportOptions = {}): string =>
  [...reportPieces(format, report, options)].join('');
