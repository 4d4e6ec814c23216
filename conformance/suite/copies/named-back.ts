/** The steps that give a copy its name back: `after` follows duplications that were refused for their keys. */
export const namedBack = { before: 'copy-named-back', after: 'copy-named-back-again' } as const;
