import { urlOf } from '../http/url.js';
import type { Facts } from '../vocabulary.js';
import { EntryReader } from './entry.js';
import { Twins } from './twins.js';

/** Reads what went to the target, or all of it where nobody says which that is. */
export const readerOf = ({ baseUrl: wanted }: Facts): EntryReader =>
  new EntryReader((baseUrl) => wanted === '' || sameUrl(baseUrl, wanted), new Twins());

/** Letters of the host, and a port that goes without saying, make no difference. */
const sameUrl = (a: string, b: string): boolean => a === b || normal(a) === normal(b);

const normal = (url: string): string => urlOf(url)?.href.replace(/\/$/, '') ?? url;
