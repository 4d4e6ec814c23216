import type { OperationId } from '../../../../generated/operations.js';
import { answeredAt, behindMs } from '../../../suite/executions/view.js';
import { accepted, acceptedExecutionId, answer, status } from '../../outcome/read.js';
import { sameId } from '../../rule/values.js';
import type { Exchange } from '../../vocabulary.js';

/**
 * How long a replica may not know what was made, in milliseconds. Files that are not found while an execution runs, and are
 * when it has ended, are to be seen in short runs as well. Whether an execution is there at once is a rule of its own.
 */
const givenMs: Partial<Record<OperationId, number>> = {
  listExecutionFiles: behindMs / 2,
  updateProfile: behindMs,
  duplicateProfile: behindMs,
};

/** Knows what the run has just made, which a replica may not know at once. */
export class NotYet {
  /** By id in lower case, when each was first told of. */
  readonly #madeAt = new Map<string, number>();

  hears(exchange: Exchange): void {
    const copy = exchange.operation === 'duplicateProfile' && accepted(exchange) ? answer(exchange)?.id : undefined;
    const id = acceptedExecutionId(exchange) ?? (sameId(copy, exchange.resource) ? undefined : copy);
    if (typeof id !== 'string' || this.#madeAt.has(id.toLowerCase())) return;
    this.#madeAt.set(id.toLowerCase(), answeredAt(exchange));
  }

  /** How long to wait before what is not found is asked for again, in milliseconds. */
  pauseBefore(exchange: Exchange): number | undefined {
    const madeAt = this.#madeAt.get(exchange.resource?.toLowerCase() ?? '') ?? Number.NEGATIVE_INFINITY;
    const given = exchange.operation ? (givenMs[exchange.operation] ?? 0) : 0;
    const leftMs = madeAt + given - exchange.at;
    return status(exchange) === 404 && leftMs > 0 ? Math.min(behindMs / 4, leftMs) : undefined;
  }
}
