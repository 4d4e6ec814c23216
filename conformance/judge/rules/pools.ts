/** interface: DELETE agent-profile-pools. */
import type { RuleId } from '../../../generated/rules.js';
import { accepted, status } from '../../evidence/read.js';
import { precedes } from '../../evidence/runs.js';
import { sameId } from '../../evidence/values.js';
import type { Exchange, Judge } from '../../vocabulary.js';
import { excuse, heard, meantToPass } from '../expected.js';
import { broken, kept, unclear } from '../findings.js';

const isDeletion = ({ operation, mark }: Exchange) => operation === 'deletePool' && !mark?.superseded;

export const pools = {
  'pool-is-deleted': {
    exchange: (exchange) => (isDeletion(exchange) && accepted(exchange) ? kept(exchange) : undefined),
    run({ exchanges }, { pool }) {
      const [first] = exchanges.filter(
        (one) => isDeletion(one) && meantToPass(one) && pool !== undefined && sameId(one.resource, pool),
      );
      if (!first || accepted(first)) return undefined;
      const why = status(first) === 404 ? 'The pool that the target file names does not exist.' : excuse(first);
      return why === undefined ? broken(first, 'a 2xx for a pool that exists', heard(first)) : unclear(first, why);
    },
  },

  'deleted-pool-is-gone': {
    run({ exchanges }) {
      const deletions = exchanges.filter(isDeletion);
      return deletions.filter(accepted).flatMap((deleted) => {
        const next = deletions.find((one) => sameId(one.resource, deleted.resource) && precedes(deleted, one));
        if (!next) return [];
        if (status(next) === 404) return kept([next, deleted]);
        const why = excuse(next);
        return why === undefined
          ? broken([next, deleted], '404 for a pool that is deleted', heard(next))
          : unclear([next, deleted], why);
      });
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;
