/** How long operations wait before they answer: as the field or parameter says that `x-operation.waits` names. */

import type { Exchange } from '../vocabulary.js';
import { type HasOperation, isFields, traitsOf } from './read.js';

/** What a request says, wherever its operation looks. */
interface Asked extends HasOperation {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** How long a request asks its answer to wait, in milliseconds. What is not allowed asks for nothing else than usual. */
export function waitMsOf(asked: Asked): number {
  const { waits } = traitsOf(asked) ?? {};
  if (!waits) return 0;
  const { name, usual, longest } = waits;
  const said = { ...(isFields(asked.body) && asked.body), ...asked.query }[name];
  // Not every object can be made a number.
  const seconds = typeof said === 'object' ? Number.NaN : Number(said);
  return 1000 * (seconds > 0 ? Math.min(seconds, longest) : usual);
}

/** The same, of a request that was sent. */
export const waitMsIn = ({ operation, request: { url, body } }: Exchange): number =>
  waitMsOf({
    operation,
    body: body.kind === 'json' ? body.value : undefined,
    query: Object.fromEntries(new URL(url, 'http://any').searchParams),
  });
