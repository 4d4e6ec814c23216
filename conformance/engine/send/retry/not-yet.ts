import { contract } from '../../contract.js';
import { accepted, answer, startedId, status } from '../../outcome/read.js';
import { copies, traitsOf } from '../../outcome/traits.js';
import { answeredAt, behindMs } from '../../outcome/when.js';
import { sameId } from '../../rule/values.js';
import type { Exchange } from '../../vocabulary.js';

/**
 * How long a replica may not know what was made, in milliseconds. What is listed of something that goes on is to be seen
 * while it does, also where that is short. Whether what was started is there at once is for the rules to say.
 */
function givenMs(exchange: Exchange): number {
  const { effect } = traitsOf(exchange) ?? {};
  if (effect === 'changes' || effect === 'copies') return behindMs;
  return effect === 'reads' && exchange.operation !== contract().look ? behindMs / 2 : 0;
}

/** Knows what the run has just made, which a replica may not know at once. */
export class NotYet {
  /** By id in lower case, when each was first told of. */
  readonly #madeAt = new Map<string, number>();

  hears(exchange: Exchange): void {
    const copy = copies(exchange) && accepted(exchange) ? answer(exchange)?.id : undefined;
    const id = startedId(exchange) ?? (sameId(copy, exchange.resource) ? undefined : copy);
    if (typeof id !== 'string' || this.#madeAt.has(id.toLowerCase())) return;
    this.#madeAt.set(id.toLowerCase(), answeredAt(exchange));
  }

  /** How long to wait before what is not found is asked for again, in milliseconds. */
  pauseBefore(exchange: Exchange): number | undefined {
    const madeAt = this.#madeAt.get(exchange.resource?.toLowerCase() ?? '') ?? Number.NEGATIVE_INFINITY;
    const leftMs = madeAt + givenMs(exchange) - exchange.at;
    return status(exchange) === 404 && leftMs > 0 ? Math.min(behindMs / 4, leftMs) : undefined;
  }
}
