/** Keys, judged with made-up ids and with real ones; what is asked does no harm to a service without the check. */
import { type OperationId, operationIds, operations } from '../../../../generated/operations.js';
import type { RuleId } from '../../../../generated/rules.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import { accepted, headerOf, refused, sent, status } from '../../../engine/outcome/read.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { judgeProbes, probesOf, twinsOf } from '../../../engine/rule/probes.js';
import type { Evidence, Exchange, Finding, Judge, Judges } from '../../../engine/vocabulary.js';
import { lacksName, mayLackName } from '../../profiles/nameless.js';

const mustBe = (wanted: number, probe: Exchange, evidence: Evidence): Finding =>
  mayLackName(evidence, probe)
    ? inconclusive(probe, lacksName)
    : violated(probe, `${wanted} with ${probe.mark?.probe?.fault}`);

/** The status is the key's doing where the same request with the full key was answered otherwise. */
function besideFullKey(evidence: Evidence, probe: Exchange): Finding | readonly Finding[] {
  const sentToo = twinsOf(evidence, probe);
  if (sentToo.length === 0) return [];
  const twins = sentToo.filter(({ response }) => response);
  const other = twins.find((twin) => status(twin) !== status(probe));
  if (other) return satisfied([probe, other]);
  return twins[0]
    ? inconclusive(
        [probe, twins[0]],
        `The full key was answered ${status(probe)} too, so the answer proves nothing about the key.`,
      )
    : inconclusive(
        probe,
        'The same request with the full key was not answered, so the answer proves nothing about the key.',
      );
}

/** Whoever tries many keys may be told to slow down, or be shut out: other probes tell. */
function withoutSlowed(evidence: Evidence, rule: RuleId): Evidence {
  const probes = probesOf(evidence, rule);
  const judged = new Set(probes.filter((one) => outcomeOf(one).own).map(({ operation }) => operation));
  const slowed = probes.filter(
    (probe) =>
      (status(probe) === 429 && judged.has(probe.operation)) || (outcomeOf(probe).by === 'firewall' && judged.size > 0),
  );
  return { ...evidence, exchanges: evidence.exchanges.filter((one) => !slowed.includes(one)) };
}

/** Something before the service may take offence at a token that it cannot read. */
const isOffended = (probe: Exchange): boolean =>
  probe.mark?.credential === 'elsewhere' && [400, 403].includes(status(probe) ?? 0);

/** A key that a system for tests may have: it is let in by a fault where a made-up one that looks like it is let in as well. */
const mayBeTheirs = (probe: Exchange, evidence: Evidence): boolean =>
  probe.mark?.credential === 'word' &&
  probesOf(evidence, 'invalid-key-is-401').some(
    (one) => one.mark?.credential === 'token' && one.operation === probe.operation && status(one) === 401,
  );

/** Seen: a request with such a key. Satisfied where it is answered 401 and the full key is not, violated where it is answered otherwise. */
const unauthorized = (rule: RuleId): Judge => ({
  run: (evidence) =>
    judgeProbes(rule, (probe, all) => {
      if (status(probe) === 401) return besideFullKey(all, probe);
      if (mayBeTheirs(probe, all))
        return inconclusive(probe, 'The key "test" was accepted; it may be a real key of this system.');
      return isOffended(probe) ? [] : mustBe(401, probe, all);
    })(withoutSlowed(evidence, rule)),
});

const keyHeaderNames = new Set(operationIds.map((operation) => operations[operation].keyHeader));

/** Whether a request with the right key carries it in a header; what tells of none has it where its operation is shown with it. */
function isIn(header: string, { request, mark, operation }: Exchange): boolean {
  const carries = (name: string) => headerOf(request.headers, name.toLowerCase()) !== undefined;
  if ([...keyHeaderNames].some(carries)) return carries(header);
  return (mark?.credential === 'primary') === (operation !== null && operations[operation].keyHeader === header);
}

/** What the operations that are shown with a header make of it; those that take none of their own are told of together. */
function ofHeader(header: string, exchanges: readonly Exchange[]): Finding[] {
  const own = operationIds.filter((operation) => operations[operation].keyHeader === header);
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

/** A key that was refused in the header that is shown, and taken in the other one. */
interface Elsewhere {
  readonly first: Exchange;
  readonly other: Exchange;
}

function ofOperation(operation: OperationId, header: string, exchanges: readonly Exchange[]): (Finding | Elsewhere)[] {
  const asked = exchanges.filter(
    (one) =>
      one.operation === operation &&
      !one.mark?.retried &&
      outcomeOf(one).own &&
      (one.mark?.credential === 'primary' || one.mark?.credential === 'swapped'),
  );
  const shown = asked.filter((one) => isIn(header, one));
  const [first] = shown;
  if (!first) return [];
  const taken = shown.find((one) => status(one) !== 401);
  if (taken) return [satisfied(taken)];
  const other = asked.find((one) => !shown.includes(one) && status(one) !== 401);
  if (other) return [{ first, other }];
  // interface: Authentication. What a key may not do is answered 403, so one that is known is never answered 401.
  const elsewhere = exchanges.find(
    (one) =>
      accepted(one) &&
      one.mark?.credential === 'primary' &&
      one.operation !== null &&
      operations[one.operation].keyHeader === header &&
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
   * Seen: requests with the key in the shown header. Satisfied where one is not answered 401; violated where each is, and the key
   * is taken in the other header, or by another operation in this one.
   */
  'key-is-taken-where-shown': {
    run: ({ exchanges }) => [...keyHeaderNames].flatMap((header) => ofHeader(header, exchanges)),
  },

  /**
   * Seen: a request with a key that may not do this. Satisfied where it is answered 403 and the full key is not; violated where it
   * is answered anything else that the full key is not answered.
   */
  'insufficient-permission-is-403': {
    run: judgeProbes('insufficient-permission-is-403', (probe, evidence) => {
      // An organization may be none for a key that has no part in it.
      if (refused(probe) && status(probe) !== 403 && sent(probe)?.organizationId !== undefined) return [];
      // Refused as the full key is, so perhaps for what the full key is refused for.
      const asFullKey = refused(probe) && twinsOf(evidence, probe).some((twin) => status(twin) === status(probe));
      if (!asFullKey) return status(probe) === 403 ? besideFullKey(evidence, probe) : mustBe(403, probe, evidence);
      if (status(probe) === 401) return besideFullKey(evidence, probe);
      // What is wrong with the made-up id was looked at before the permission. A real id, where one was sent, tells.
      const all = probesOf(evidence, 'insufficient-permission-is-403').filter(
        ({ operation }) => operation === probe.operation,
      );
      if (all.at(-1) !== probe) return [];
      if (status(probe) === 403) return besideFullKey(evidence, probe);
      return all.length > 1
        ? mustBe(403, probe, evidence)
        : inconclusive(probe, `A made-up id was answered ${status(probe)} before the permission was checked.`);
    }),
  },
} satisfies Judges;
