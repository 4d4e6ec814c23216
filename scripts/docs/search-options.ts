import type { Options } from 'minisearch';

/** Something that the search finds: a part of a page. */
export interface Found {
  /** From the root of the site: `client.html#errors`. */
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The same where the index is made and where it is asked. */
export const searchOptions: Options<Found> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
