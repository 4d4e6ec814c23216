/** The steps at which a copy gets a name back: as it is, and after duplications that were refused for their keys. */
export const namedBack = { before: 'copy-named-back', after: 'copy-named-back-again' } as const;
