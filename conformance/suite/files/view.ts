/** Reading the listing of an execution's files. */

import { answer, type Fields, status, within } from '../../engine/outcome/read.js';
import { listOf, sameId } from '../../engine/rule/values.js';
import { shown } from '../../engine/rule/words.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** What a listing answers, or undefined where it is none. */
export const listing = (exchange: Exchange): Fields | undefined =>
  exchange.operation === 'listExecutionFiles' && status(exchange) === 200 ? answer(exchange) : undefined;

/** Also those that are listed otherwise than they should be; `except` names lists to leave out. */
export const filesOf = (exchange: Exchange, except: readonly string[] = []): Fields[] => {
  const groups = listing(exchange)?.directories;
  if (Array.isArray(groups)) return [...listOf(groups)];
  return Object.entries(groups ?? {}).flatMap(([group, list]) => (except.includes(group) ? [] : listOf(list)));
};

/** Whether a file may be one that this execution wrote: what is shared may be that of another one. */
export const mayBeOf = (executionId: string, file: Fields): boolean =>
  typeof file.executionId !== 'string' || sameId(file.executionId, executionId);

/** What was uploaded or is shared belongs to more than one run. */
export const common: readonly string[] = ['uploads', 'shared'];

/** Those that the execution brought forth itself. */
export const ownFiles = (exchange: Exchange): Fields[] => filesOf(exchange, common);

export interface Listed {
  readonly group: string;
  readonly file: Fields;
}

/** The files that are listed as they should be, each with the list that it is in. */
export const grouped = (exchange: Exchange): Listed[] =>
  Object.entries(within(listing(exchange), 'directories')).flatMap(([group, list]) =>
    listOf(list).map((file) => ({ group, file })),
  );

export const inWords = ({ file }: Listed) => shown(file.fileName);
