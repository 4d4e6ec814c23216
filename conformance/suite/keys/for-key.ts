import { status } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';

/**
 * Whether a request was refused for its key. interface: Authentication. The right key may be answered 403 for much else, so of
 * that nothing is said; of recorded requests nobody knows the key, and 401 tells.
 */
export const refusedForKey = (exchange: Exchange): boolean => {
  const { credential } = exchange.mark ?? {};
  return status(exchange) === 401 || (status(exchange) === 403 && credential !== undefined && credential !== 'primary');
};
