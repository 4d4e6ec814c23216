/** Faults that the suite does not find, and why: measured, see docs/independent.md. */
export const missed: Readonly<Record<string, string>> = {
  'inputs-empty-refused': 'No start is sent with inputs that are empty.',
  'temp-files-refused': 'A start with temp files may be refused for the file.',
  'standard-detail-differs-on-capacity': 'No start that is judged was refused for capacity with 429.',
};
