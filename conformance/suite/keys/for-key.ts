import { status } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';

/**
 * Whether a request was refused because of its key. interface: Authentication. The right key may be answered 403 for
 * other reasons, so that does not count. In recordings the key is unknown: only 401 counts.
 */
export const refusedForKey = (exchange: Exchange): boolean => {
  const { credential } = exchange.mark ?? {};
  return status(exchange) === 401 || (status(exchange) === 403 && credential !== undefined && credential !== 'primary');
};
