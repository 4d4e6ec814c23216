/** Lists that come in pages: by the parameter and the field that `x-operation.pages` names. */

import type { Exchange } from '../vocabulary.js';
import { accepted, answerBody, traitsOf } from './read.js';
import { precedes } from './when.js';

/** With what the next page is asked for; empty if there is none. */
const nextOf = (page: Exchange): string => {
  const { pages } = traitsOf(page) ?? {};
  const said = pages && accepted(page) ? answerBody(page)?.[pages.says] : undefined;
  return typeof said === 'string' ? said : '';
};

const queryOf = (page: Exchange) => Object.fromEntries(new URL(page.request.url, 'http://any').searchParams);

/** What a page was asked for with, beside what else it was asked; empty if it is the first. */
const askedOf = (page: Exchange): string => {
  const { pages } = traitsOf(page) ?? {};
  return (pages && queryOf(page)[pages.asks]) ?? '';
};

/** The query that asks for the page after this one; undefined if there is none, or this one says that it is the next. */
export function queryOfNext(page: Exchange): Readonly<Record<string, string>> | undefined {
  const { pages } = traitsOf(page) ?? {};
  const next = nextOf(page);
  return pages && next !== '' && next !== askedOf(page) ? { ...queryOf(page), [pages.asks]: next } : undefined;
}

/** A list up to a page of it, from the first; undefined if not all of these were seen. */
export function pagesUpTo(page: Exchange, all: readonly Exchange[]): readonly Exchange[] | undefined {
  const asked = askedOf(page);
  if (asked === '') return [page];
  const before = all.findLast((one) => precedes(one, page) && nextOf(one) === asked);
  const pages = before && pagesUpTo(before, all);
  return pages && [...pages, page];
}

/** The lists of which all pages were seen. */
export const wholeLists = (all: readonly Exchange[]): (readonly Exchange[])[] =>
  all.flatMap((page) => (nextOf(page) === '' ? [pagesUpTo(page, all) ?? []] : [])).filter(({ length }) => length > 0);
