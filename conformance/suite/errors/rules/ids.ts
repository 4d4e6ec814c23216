/** Ids in the path that are malformed or unknown. */

import { type OperationId, operationIds, operations } from '../../../../generated/operations.js';
import type { RuleId } from '../../../../generated/rules.js';
import { faultOf, hasRightKey, isOfRun } from '../../../engine/outcome/mark.js';
import { hasMalformedId, malformedId, refused, status } from '../../../engine/outcome/read.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { judgeProbes, mustRefuse } from '../../../engine/rule/probes.js';
import { answerText, jsonText } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Judge, Judges } from '../../../engine/vocabulary.js';
import { lacksName, listsFiles, mayLackName } from '../../operations.js';

/** The id is the reason for a status if the operation has given another one elsewhere, even just without a key. */
function besideOther(evidence: Evidence, probe: Exchange): Finding {
  const other = evidence.exchanges.find(
    (one) => one.operation === probe.operation && one.response && status(one) !== status(probe),
  );
  return other
    ? satisfied([probe, other])
    : inconclusive(
        probe,
        `${probe.operation} was answered ${status(probe)} every time, so the answer proves nothing about the id.`,
      );
}

/** Whether the full key may do nothing on this operation, so that the id is not checked. */
const isBarred = ({ exchanges }: Evidence, { operation }: Exchange) =>
  exchanges
    .filter((one) => one.operation === operation && hasRightKey(one) && one.response)
    .every((one) => [401, 403].includes(status(one) ?? 0));

/**
 * Judges a request for an id that nothing has. Passes if it is answered 404, and another request of the operation is
 * not; fails if it is answered otherwise.
 */
const unknownIs404 = (
  rule: RuleId,
  explains: (probe: Exchange) => Finding | undefined = () => undefined,
): Pick<Judge, 'run'> => ({
  run: judgeProbes(rule, (probe, evidence) => {
    if (status(probe) === 404) return explains(probe) ?? besideOther(evidence, probe);
    if (mayLackName(evidence, probe)) return inconclusive(probe, lacksName);
    return isBarred(evidence, probe)
      ? inconclusive(
          probe,
          `The key lacks the permission (${status(probe)}), so the answer proves nothing about the id.`,
        )
      : violated(probe, `404 for ${faultOf(probe)}`);
  }),
});

const byId: readonly (OperationId | null)[] = operationIds.filter((id) => operations[id].effect !== 'starts');

/** A text that explains nothing, because it fits any failure. */
const saysNothing =
  /^(?:oops\W*)?(?:an? |the )?(?:(?:internal|unknown|unexpected|general|server|request) )*(?:error|failure|failed|(?:something|it) went wrong)(?: occurred| has occurred)?\W*$/i;

/** A time, an id or an address says what an answer belongs to, not what is wrong. */
const isReference = /^(?:about:blank|\/\S*|\S+:\/\/\S*|(?:\S*\d){4,}\S*)$/;

/** All texts with letters in a value, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? /\p{L}/u.test(value)
      ? [value.trim()]
      : []
    : Object.values(value ?? {}).flatMap(textsIn);

/**
 * interface: Errors rule 1. Judges the 404 of a listing. Fails if no text in it explains anything. The service may
 * choose words and language.
 */
function explainsNotFound(exchange: Exchange): Finding | undefined {
  const body = exchange.response?.body;
  // A JSON text may explain it as well as an object: the body is left open.
  const value = body?.kind === 'json' ? body.value : undefined;
  return textsIn(value).some((text) => !saysNothing.test(text) && !isReference.test(text))
    ? undefined
    : violated(
        exchange,
        'an explanation that the execution was not found',
        value ? jsonText(value) : answerText(exchange),
      );
}

export const ids = {
  /**
   * Judges a request with an id that is no UUID. Passes if it is refused, and a well-formed one gets another answer;
   * fails if it is accepted.
   */
  'malformed-id-is-refused': {
    exchange(exchange) {
      const id = malformedId(exchange);
      if (!byId.includes(exchange.operation) || id === undefined) return;
      return mustRefuse(exchange, `the id ${jsonText(id)}, which is no uuid`);
    },
    run: judgeProbes('malformed-id-is-refused', (probe, evidence) =>
      refused(probe) ? besideOther(evidence, probe) : [],
    ),
  },
  'unknown-execution-is-404': unknownIs404('unknown-execution-is-404'),
  /** As for executions. Also fails if no text in the 404 explains it. */
  'unknown-execution-files-is-404': {
    ...unknownIs404('unknown-execution-files-is-404', explainsNotFound),
    exchange(exchange) {
      const { operation } = exchange;
      if (isOfRun(exchange) || !listsFiles({ operation }) || status(exchange) !== 404 || hasMalformedId(exchange))
        return;
      return explainsNotFound(exchange) ?? satisfied(exchange);
    },
  },
  'unknown-profile-is-404': unknownIs404('unknown-profile-is-404'),
  'unknown-pool-is-404': unknownIs404('unknown-pool-is-404'),
} satisfies Judges;
