/** Ids in the path that are malformed, or that nothing has. */
import type { OperationId } from '../../../generated/operations.js';
import type { RuleId } from '../../../generated/rules.js';
import { schemas } from '../../../generated/validators.js';
import { answer, status } from '../../evidence/read.js';
import type { Evidence, Exchange, Finding, Judge } from '../../vocabulary.js';
import { answered, isUuid } from '../answers.js';
import { broken, kept, unclear } from '../findings.js';
import { mustRefuse, mute, probesOf } from '../probes.js';
import { schemaFaults } from '../schema-faults.js';
import { seen, shown } from '../words.js';

/** A status is the id's doing where the operation gave another elsewhere, if only to a request without a key. */
function besideOther(evidence: Evidence, probe: Exchange): Finding {
  const other = evidence.exchanges.find(
    (one) => one.operation === probe.operation && answered(one) && status(one) !== status(probe),
  );
  return other
    ? kept([probe, other])
    : unclear(
        probe,
        `${probe.operation} was answered ${status(probe)} every time, so the answer tells nothing of the id.`,
      );
}

const unknownIs404 = (rule: RuleId, more: (probe: Exchange) => Finding | undefined = () => undefined): Judge => ({
  run: (evidence) =>
    probesOf(evidence, rule).map((probe) => {
      const why = mute(probe);
      if (why !== undefined || !probe.response) return unclear(probe, why ?? '');
      if (status(probe) === 404) return more(probe) ?? besideOther(evidence, probe);
      const barred = besideOther(evidence, probe);
      return [401, 403].includes(probe.response.status) && barred.kind === 'unclear'
        ? barred
        : broken(probe, `404 for ${probe.mark?.probe?.fault}`, seen(probe.response));
    }),
});

const byId: readonly (OperationId | null)[] = [
  'getExecution',
  'listExecutionFiles',
  'updateProfile',
  'duplicateProfile',
  'deletePool',
];
const notFound =
  /\bnot?[\s_-]*(?:be[\s_-]+)?(?:found|exist|such)|\bno (?:such |matching )?execution|n['’]t (?:be )?(?:find|found|exist)|unknown|missing|cannot (?:be )?f[io]u?nd/i;

/** interface: Errors rule 1 */
function explainsNotFound(exchange: Exchange): Finding | undefined {
  const body = answer(exchange);
  const faults = schemaFaults(schemas.FilesError, body);
  if (faults.length > 0) return broken(exchange, 'an error body with code and message', faults.join('; '));
  const texts = [body?.message, body?.detail, body?.title];
  if (texts.some((text) => typeof text === 'string' && notFound.test(text))) return undefined;
  return broken(exchange, 'a message that says that the execution was not found', shown(body?.message));
}

export const ids = {
  'malformed-id-is-refused': {
    exchange(exchange) {
      const { operation, resource } = exchange;
      if (!byId.includes(operation) || resource === null || isUuid(resource)) return;
      return mustRefuse(exchange, `the id ${shown(resource)}, which is no uuid`);
    },
    run: (evidence) =>
      probesOf(evidence, 'malformed-id-is-refused').flatMap((probe) => {
        const why = mute(probe);
        if (why !== undefined) return unclear(probe, why);
        return (status(probe) ?? 0) >= 400 ? besideOther(evidence, probe) : [];
      }),
  },
  'unknown-execution-is-404': unknownIs404('unknown-execution-is-404'),
  'unknown-execution-files-is-404': {
    ...unknownIs404('unknown-execution-files-is-404', explainsNotFound),
    exchange(exchange) {
      const { operation, resource, mark } = exchange;
      if (mark || operation !== 'listExecutionFiles' || status(exchange) !== 404 || !isUuid(resource ?? '')) return;
      return explainsNotFound(exchange) ?? kept(exchange);
    },
  },
  'unknown-profile-is-404': unknownIs404('unknown-profile-is-404'),
  'unknown-pool-is-404': unknownIs404('unknown-pool-is-404'),
} satisfies Record<string, Judge>;
