/** The formats of `--report FORMAT=FILE`. In its own file, so that `--help` does not load the writers. */
export const reportFormats = ['json', 'junit', 'markdown', 'html', 'har'] as const;
export type ReportFormat = (typeof reportFormats)[number];
