import type { Options } from 'minisearch';

/** A result of the search: a section of a page. */
export interface Found {
  /** A link from the root of the site: `client.html#errors`. */
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** Shared by what builds the index and what searches it. */
export const searchOptions: Options<Found> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
