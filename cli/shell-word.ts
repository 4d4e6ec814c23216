/** Quotes a word for a shell, for a command line that is suggested. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,~\\-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
