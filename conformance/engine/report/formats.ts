/** What `--report FORMAT=FILE` takes. Apart from the writers, so that asking for help loads none of them. */
export const reportFormats = ['json', 'junit', 'markdown', 'html', 'har'] as const;
/** The formats that a report can be written in. */
export type ReportFormat = (typeof reportFormats)[number];
