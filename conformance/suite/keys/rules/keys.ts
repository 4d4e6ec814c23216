/** Judges keys, with made-up ids and with real ones. The probes do no harm to a service that lacks the check. */
import { keyHeaders, type OperationId, operationIds, operations } from '../../../../generated/operations.js';
import type { RuleId } from '../../../../generated/rules.js';
import { faultOf, hasRightKey, isExcluded, keyOf } from '../../../engine/outcome/mark.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  documentedKeyHeaders,
  headerOf,
  refused,
  requestBody,
  status,
} from '../../../engine/outcome/read.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { controlsOf, judgeProbes, probesOf } from '../../../engine/rule/probes.js';
import type { Evidence, Exchange, Finding, Judge, Judges } from '../../../engine/vocabulary.js';
import { lacksName, mayLackName } from '../../operations.js';

const mustBe = (wanted: number, probe: Exchange, evidence: Evidence): Finding =>
  mayLackName(evidence, probe) ? inconclusive(probe, lacksName) : violated(probe, `${wanted} with ${faultOf(probe)}`);

/** The key is the reason for a status if the same request with the full key was answered otherwise. */
function besideFullKey(evidence: Evidence, probe: Exchange): Finding | readonly Finding[] {
  const sentToo = controlsOf(evidence, probe);
  if (sentToo.length === 0) return [];
  const controls = sentToo.filter(({ response }) => response);
  const other = controls.find((control) => status(control) !== status(probe));
  if (other) return satisfied([probe, other]);
  return controls[0]
    ? inconclusive(
        [probe, controls[0]],
        `The primary key was answered ${status(probe)} too, so the answer proves nothing about the key.`,
      )
    : inconclusive(
        probe,
        'The same request with the primary key was not answered, so the answer proves nothing about the key.',
      );
}

/** Leaves out probes that met a rate limit or a firewall, because too many keys were tried, if others were answered. */
function withoutSlowed(evidence: Evidence, rule: RuleId): Evidence {
  const probes = probesOf(evidence, rule);
  const judged = new Set(probes.filter((one) => outcomeOf(one).own).map(({ operation }) => operation));
  const slowed = probes.filter(
    (probe) =>
      (status(probe) === 429 && judged.has(probe.operation)) || (outcomeOf(probe).by === 'firewall' && judged.size > 0),
  );
  return { ...evidence, exchanges: evidence.exchanges.filter((one) => !slowed.includes(one)) };
}

/** Whether something before the service may have refused a token that it cannot parse. */
const isOffended = (probe: Exchange): boolean =>
  keyOf(probe) === 'elsewhere' && [400, 403].includes(status(probe) ?? 0);

/** Judges a request with such a key. Passes if it is answered 401, and the full key is not; else fails. */
const unauthorized = (rule: RuleId): Judge => ({
  run: (evidence) =>
    judgeProbes(rule, (probe, all) => {
      if (status(probe) === 401) return besideFullKey(all, probe);
      return isOffended(probe) ? [] : mustBe(401, probe, all);
    })(withoutSlowed(evidence, rule)),
});

/** Whether a request has the right key in this header: the documented one, if the recording lacks keys. */
function isIn(header: string, exchange: Exchange): boolean {
  const { operation } = exchange;
  const carries = (name: string) => headerOf(exchange.request.headers, name) !== undefined;
  if (keyHeaders.some(carries)) return carries(header);
  return hasRightKey(exchange) === (operation !== null && operations[operation].keyHeader === header);
}

/** Judges the operations that are shown with this header. Those that only accept the other one share a finding. */
function ofHeader(header: string, exchanges: readonly Exchange[]): Finding[] {
  const own = operationIds.filter((operation) => documentedKeyHeaders({ operation }).includes(header));
  const each = own.flatMap((operation) => ofOperation(operation, header, exchanges));
  const elsewhere = each.flatMap((one) => ('other' in one ? one : []));
  const [first] = elsewhere;
  const rest = each.flatMap((one) => ('other' in one ? [] : one));
  return first
    ? [
        violated(
          elsewhere.flatMap((one) => [one.first, one.other]).slice(0, 2),
          `the key taken in ${header}`,
          `401, and the other header taken, by ${elsewhere.map((one) => one.first.operation).join(', ')}`,
        ),
        ...rest,
      ]
    : rest;
}

/** A key that was refused in the documented header, and accepted in the other one. */
interface Elsewhere {
  readonly first: Exchange;
  readonly other: Exchange;
}

function ofOperation(operation: OperationId, header: string, exchanges: readonly Exchange[]): (Finding | Elsewhere)[] {
  const asked = exchanges.filter(
    (one) =>
      one.operation === operation &&
      !isExcluded(one) &&
      outcomeOf(one).own &&
      (hasRightKey(one) || keyOf(one) === 'swapped'),
  );
  const shown = asked.filter((one) => isIn(header, one));
  const [first] = shown;
  if (!first) return [];
  const taken = shown.find((one) => status(one) !== 401);
  if (taken) return [satisfied(taken)];
  const other = asked.find((one) => !shown.includes(one) && status(one) !== 401);
  if (other) return [{ first, other }];
  // interface: Authentication. Lack of permission is answered 403, so a known key is never answered 401.
  const elsewhere = exchanges.find(
    (one) =>
      accepted(one) &&
      hasRightKey(one) &&
      one.operation !== null &&
      documentedKeyHeaders(one).includes(header) &&
      isIn(header, one),
  );
  return [
    elsewhere
      ? violated([first, elsewhere], `the key taken in ${header}, as by ${elsewhere.operation}`, '401')
      : inconclusive(first, `The key was answered 401 on ${operation} in either header.`),
  ];
}

export const keys = {
  'missing-key-is-401': unauthorized('missing-key-is-401'),
  'invalid-key-is-401': unauthorized('invalid-key-is-401'),

  /**
   * Judges requests with the key in the documented header. Passes if one is not answered 401; fails if each is,
   * and the key is accepted in the other header, or by another operation in this one.
   */
  'key-is-taken-where-shown': {
    run: ({ exchanges }) => keyHeaders.flatMap((header) => ofHeader(header, exchanges)),
  },

  /**
   * Judges a request with a key that lacks the permission. Passes if it is answered 403, and the full key is not;
   * fails if it gets another status that the full key does not get.
   */
  'insufficient-permission-is-403': {
    run: judgeProbes('insufficient-permission-is-403', (probe, evidence) => {
      // To a key of another organization, that organization may not exist.
      if (refused(probe) && status(probe) !== 403 && requestBody(probe)?.organizationId !== undefined) return [];
      // The full key got the same status, so the reason may be the same.
      const asFullKey =
        refused(probe) && controlsOf(evidence, probe).some((control) => status(control) === status(probe));
      if (!asFullKey) return status(probe) === 403 ? besideFullKey(evidence, probe) : mustBe(403, probe, evidence);
      if (status(probe) === 401) return besideFullKey(evidence, probe);
      // The unknown id was checked before the permission. A request with a real id, if one was sent, is judged instead.
      const all = probesOf(evidence, 'insufficient-permission-is-403').filter(
        ({ operation }) => operation === probe.operation,
      );
      if (all.at(-1) !== probe) return [];
      if (status(probe) === 403) return besideFullKey(evidence, probe);
      if (all.some((one) => status(one) === 403)) return [];
      return all.length > 1
        ? mustBe(403, probe, evidence)
        : inconclusive(probe, `A made-up id was answered ${status(probe)} before the permission was checked.`);
    }),
  },
} satisfies Judges;
