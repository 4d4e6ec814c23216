/**
 * What of recordings is no exchange: how many, and what is wrong with the first of them. One entry that nobody can read is no
 * reason to leave out the others.
 */
export interface NotRead {
  readonly count: number;
  readonly first: readonly string[];
}

export const noneUnreadable: NotRead = { count: 0, first: [] };

const mostNamed = 3;

export const addUnreadable = (a: NotRead, b: NotRead): NotRead => ({
  count: a.count + b.count,
  first: [...a.first, ...b.first].slice(0, mostNamed),
});
