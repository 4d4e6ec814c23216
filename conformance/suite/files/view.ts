/** How to read the listing of an execution's files. */

import { answerBody, type Fields, objectIn, status } from '../../engine/outcome/read.js';
import { jsonText, listOf, sameId } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { listsFiles } from '../operations.js';

/** The body of a listing; undefined if it is none. */
export const listing = (exchange: Exchange): Fields | undefined =>
  listsFiles(exchange) && status(exchange) === 200 ? answerBody(exchange) : undefined;

/** All files, also those that are not listed properly; `except` names lists to leave out. */
export const filesOf = (exchange: Exchange, except: readonly string[] = []): Fields[] => {
  const groups = listing(exchange)?.directories;
  if (Array.isArray(groups)) return [...listOf(groups)];
  return Object.entries(groups ?? {}).flatMap(([group, list]) => (except.includes(group) ? [] : listOf(list)));
};

/** Whether this execution may have written a file. Shared files may be those of another one. */
export const mayBeOf = (executionId: string, file: Fields): boolean =>
  typeof file.executionId !== 'string' || sameId(file.executionId, executionId);

/** Uploaded and shared files belong to several runs. */
export const sharedDirectories: readonly string[] = ['uploads', 'shared'];

/** The files that only this execution can have written. */
export const ownFiles = (exchange: Exchange): Fields[] => filesOf(exchange, sharedDirectories);

export interface Listed {
  readonly group: string;
  readonly file: Fields;
}

/** The files that are listed properly, each with its list. */
export const grouped = (exchange: Exchange): Listed[] =>
  Object.entries(objectIn(listing(exchange), 'directories')).flatMap(([group, list]) =>
    listOf(list).map((file) => ({ group, file })),
  );

export const fileText = ({ file }: Listed) => jsonText(file.fileName);
