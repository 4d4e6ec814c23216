import { extname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { type ReportFormat, reportFormats } from '../conformance/engine/report/formats.js';

export interface WantedReport {
  readonly format: ReportFormat;
  readonly file: string;
  /** Not written where nothing could be judged: what is there says more. */
  readonly ifUsable?: true;
}

/** What a file of each format usually ends in. */
const ends = { json: 'json', junit: 'xml', markdown: 'md', html: 'html', har: 'har' } as const;

function formatOf(name: string): ReportFormat | undefined {
  const small = name.toLowerCase();
  return reportFormats.find((format) => format === small || ends[format] === small);
}

/** Reads an argument of `--report`: `html=report.html`, a file whose end tells its format, or several with commas between. */
export function wantedReports(value: string, before: readonly WantedReport[] = []): WantedReport[] {
  // The name of a file may hold a comma; what is before a format ends one.
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
      ? `It wants a file as well, such as ${bare}=report.${ends[bare]}.`
      : `It is FORMAT=FILE, with one of ${reportFormats.join(', ')}.`,
  );
}
