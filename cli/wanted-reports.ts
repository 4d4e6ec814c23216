import { extname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { type ReportFormat, reportFormats } from '../conformance/engine/vocabulary/report.js';

export interface WantedReport {
  readonly format: ReportFormat;
  readonly file: string;
}

/** The usual file extension of each format. */
const ends = { json: 'json', junit: 'xml', markdown: 'md', html: 'html', har: 'har' } as const;

function formatOf(name: string): ReportFormat | undefined {
  const small = name.toLowerCase();
  return reportFormats.find((format) => format === small || ends[format] === small);
}

/** Parses a value of `--report`: `html=report.html`, a file name with a known extension, or several, with commas. */
export function wantedReports(value: string, before: readonly WantedReport[] = []): WantedReport[] {
  // File names may contain commas: split only where another `format=` follows.
  const parts = value.split(value.includes('=') ? /,(?=\w+=)/ : ',');
  return [...before, ...parts.map(wantedReport)];
}

function wantedReport(text: string): WantedReport {
  const [, name, named = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const [format, file] = name === undefined ? [formatOf(extname(text).slice(1)), text] : [formatOf(name), named];
  if (format && file !== '') return { format, file };
  const bare = formatOf(name ?? text);
  throw new InvalidArgumentError(
    bare
      ? `It needs a file as well, such as ${bare}=report.${ends[bare]}.`
      : `It must be FORMAT=FILE, with one of ${reportFormats.join(', ')}, or a file that ends in one of ${Object.values(
          ends,
        )
          .map((end) => `.${end}`)
          .join(', ')}.`,
  );
}
