/** Which answers are somebody else's than the service's, and what disturbed a run. */

import { contract } from '../contract.js';
import { memoize } from '../memoize.js';
import { byKey, equal } from '../rule/values.js';
import type { Evidence, Exchange } from '../vocabulary.js';
import { hasRightKey, isExcluded, isUnjudged } from './mark.js';
import {
  hasOwnFields,
  hasValidRequestBody,
  isChallenge,
  isHtmlPage,
  isLost,
  isOutsideContract,
  outcomeOf,
} from './outcome.js';
import { accepted, answerBody, forbidden, isStart, meaningOf, redirects, refused, status } from './read.js';
import { isAfterReplicaLag } from './when.js';

/** Answers that tell nothing of the service. They are not judged, and the report says why. */
export interface Exclusion {
  readonly exchanges: readonly Exchange[];
  readonly reason: string;
}

/** Answers of somebody other than the service. */
export const excluded = ({ exchanges }: Evidence): Exclusion[] => [...redirected(exchanges), ...rejected(exchanges)];

/** The evidence without what is excluded. */
export function withoutExcluded(evidence: Evidence, exclusions: readonly Exclusion[]): Evidence {
  const gone = new Set(exclusions.flatMap(({ exchanges }) => exchanges.map(({ id }) => id)));
  if (gone.size === 0) return evidence;
  const left = (exchanges: readonly Exchange[]) => exchanges.filter(({ id }) => !gone.has(id));
  return {
    ...evidence,
    exchanges: left(evidence.exchanges),
    profiles: evidence.profiles.map((one) => ({ ...one, exchanges: left(one.exchanges) })),
  };
}

/** Operations whose every request was redirected: the target file has the wrong address. */
const redirected = (exchanges: readonly Exchange[]): Exclusion[] =>
  contract().operationIds.flatMap((operation) => {
    const asked = exchanges.filter((one) => one.operation === operation);
    const [first, ...others] = asked.filter(({ response }) => response);
    if (!first?.response || ![first, ...others].every((one) => redirects.includes(status(one) ?? 0))) return [];
    const { headers } = first.response;
    const reason = `Every ${operation} was redirected (${status(first)}) to ${headers.location ?? 'nowhere'}. Redirects are not followed, because the key would be sent along. Set baseUrl to the final address, or remove the redirect.`;
    return [{ exchanges: asked, reason }];
  });

/** What an answer says, without ids of incidents and times. */
export function wordsOf({ response }: Exchange): string {
  const body = response?.body;
  const text = body?.kind === 'json' ? JSON.stringify(body.value) : body?.kind === 'not-json' ? body.text : '';
  return `${response?.status} ${text.replaceAll(/[\da-f-]*\d[\da-f-]*/gi, '')}`;
}

/** An HTML page with 2xx or 403, or JSON with 403 that is outside the contract. */
const isTelling = (one: Exchange): boolean => {
  const isForbidden = status(one) === forbidden;
  if (isHtmlPage(one)) return accepted(one) || isForbidden;
  return isForbidden && one.response?.body.kind === 'json' && isOutsideContract(one);
};

/**
 * Valid requests with bodies that got the same answer, while others of the same operations were answered as in the
 * contract. A service has no reason for that, so it was a firewall. Several operations have to show it; one is enough
 * for 403, since the full key may do everything.
 */
function rejected(exchanges: readonly Exchange[]): Exclusion[] {
  const telling = exchanges.filter((one) => one.request.body.kind !== 'none' && !isExcluded(one) && isTelling(one));
  const answers = byKey(telling, wordsOf);
  const answersJson = ({ operation }: Exchange) =>
    exchanges.some((one) => one.operation === operation && accepted(one) && one.response?.body.kind === 'json');
  return [...answers.values()].flatMap((all) => {
    const right = all.filter((one) => hasRightKey(one) && hasValidRequestBody(one) && answersJson(one));
    const operations = new Set(right.map(({ operation }) => operation));
    const [first] = right;
    if (!first || (accepted(first) && operations.size < 2 && !isChallenge(first))) return [];
    const what = all.length === 1 ? 'A request was' : `${all.length} requests were`;
    const how = isHtmlPage(first)
      ? `one page of HTML${isChallenge(first) ? ' or nothing' : ''}`
      : 'JSON that is not in the contract';
    const reason = `${what} answered ${status(first)} with ${how} (the first is #${first.id}), and others of the same operations with JSON of the contract. This is most likely a firewall that rejects their bodies, not the service; they are not judged.`;
    return [{ exchanges: all, reason }];
  });
}

const requestKey = ({ mark, request }: Exchange): string =>
  [mark?.scenario, mark?.step, mark?.credential, request.method, request.url, ...Object.keys(request.headers)].join(
    ' ',
  );

// Answers outside the contract, and such that did not find what is there, whose requests got another one when they were
// sent again.

/** From this many requests of one operation on, such answers are the service's. Only it sends fields of the contract. */
const enough = ({ kind, all }: Pick<Replaced, 'kind' | 'all'>): number =>
  kind === 'strange' && all.every(hasOwnFields) ? 2 : 3;

interface Replaced {
  readonly kind: keyof typeof kinds;
  /** Operations that got such answers. */
  readonly operations: ReadonlySet<string | null>;
  readonly all: readonly Exchange[];
  /** How many requests got them, with a proper answer in between: in one stretch of time it may be an outage. */
  readonly requests: number;
}

/**
 * The answers that were replaced, by their form. One with fields of the contract, or in the words of the other, is the
 * service's own, so its operation counts too. What says itself that it is no answer of the service is left out.
 */
const replaced = memoize((exchanges: readonly Exchange[]): readonly Replaced[] => {
  const proper = new Map<string, Exchange>();
  const taken = exchanges.filter(accepted);
  /** Whether it had been found so long before that no replica is behind. */
  const wasThere = (one: Exchange) =>
    taken.some((other) => other.resource === one.resource && isAfterReplicaLag(one, other));
  const found: { readonly one: Exchange; readonly by: Exchange; readonly stretch: number }[] = [];
  let stretch = 0;
  for (const one of exchanges.toReversed()) {
    const by = proper.get(requestKey(one));
    const why = unexpected(one);
    const isMissed = why === 'not found' && wasThere(one);
    if (one.response && !isOutsideContract(one) && !isMissed && why !== 'turned away') {
      proper.set(requestKey(one), one);
      stretch += 1;
      // A start may be refused for what else it names.
    } else if (outcomeOf(one).own && by && (!isMissed || equal(by.request.body, one.request.body)))
      found.push({ one, by, stretch });
  }
  const formOf = ({ one, by }: (typeof found)[number]) =>
    unexpected(one) ?? `${outcomeOf(one).form} ${hasOwnFields(one) || saysNearlyTheSame(one, by) ? one.operation : ''}`;
  return [...byKey(found.reverse(), formOf).values()].map((alike) => ({
    kind: (alike[0] && unexpected(alike[0].one)) ?? 'strange',
    operations: new Set(alike.map(({ one }) => one.operation)),
    all: alike.map(({ one }) => one),
    requests: Math.min(...(['by', 'stretch'] as const).map((part) => new Set(alike.map((one) => one[part])).size)),
  }));
});

const kinds = {
  'turned away': 'refused, though their key is right',
  'not found': 'not found, though it was there before',
  strange: 'outside the contract',
};

const unexpected = (one: Exchange) =>
  isOutsideContract(one) || (meaningOf(status(one)).rejectsCaller && !hasRightKey(one))
    ? undefined
    : outcomeOf(one).unexpected;

/** Those that are the service's: several requests of one operation got them, and none of another. */
export const ownReplaced = (exchanges: readonly Exchange[]): Exchange[] =>
  replaced(exchanges).flatMap((one) =>
    // Where the right key is refused at times, nothing tells which limit, or which instance, that was.
    one.kind !== 'turned away' && one.operations.size === 1 && one.requests >= enough(one) ? one.all : [],
  );

/** Those that are not: several operations got them, in one form. */
export const foreignReplaced = (exchanges: readonly Exchange[]): Exchange[] =>
  replaced(exchanges).flatMap(({ operations, all }) => (operations.size > 1 ? all : []));

/** Answers that several operations got, with those that were not replaced, in the same words: a gateway's. */
export const betweenReplaced = (exchanges: readonly Exchange[]): Exchange[] => {
  const words = new Set(foreignReplaced(exchanges).map(wordsOf));
  return words.size === 0 ? [] : exchanges.filter((one) => isOutsideContract(one) && words.has(wordsOf(one)));
};

/** What disturbed a run: answers that several operations got and that were not the service's, limits, and conflicts. */
export function disturbanceIn(exchanges: readonly Exchange[]): string | undefined {
  const last = new Map(exchanges.map((one) => [requestKey(one), one]));
  /** Whether it went away: what lasts is the service's. */
  const isOver = (one: Exchange) => {
    const later = last.get(requestKey(one));
    return later !== undefined && !isOutsideContract(later) && outcomeOf(later).unexpected === undefined;
  };
  const isReplaced = (one: Exchange) => isExcluded(one) && isOver(one);
  const kinds: readonly [what: string, least: number, is: (one: Exchange) => boolean][] = [
    ['were lost, or came from a gateway', 2, (one) => isReplaced(one) && isOutsideContract(one)],
    [
      'turned away the right key, or did not find what is there',
      2,
      (one) => isReplaced(one) && outcomeOf(one).unexpected !== undefined,
    ],
    ['were those of a limit, or of a conflict', 1, isTemporary],
  ];
  for (const [what, least, is] of kinds) {
    const those = exchanges.filter(is);
    if (new Set(those.map(({ operation }) => operation)).size >= least)
      return `${those.length} of ${exchanges.length} answers ${what} (the first is #${those[0]?.id})`;
  }
  return undefined;
}

/** At a limit, or while something else uses what it is about. */
const isTemporary = (one: Exchange): boolean => !isStart(one) && [409, 423, 429].includes(status(one) ?? 0);

/** Whether an answer that a rule calls wrong may be one of those that disturb a run. */
export const mayBeDisturbed = (one: Exchange): boolean =>
  isTemporary(one) || isLost(one) || outcomeOf(one).unexpected !== undefined;

/** Remarks on answers that others replaced, if no rule for every answer judges them. */
export const replacedRemarks = (exchanges: readonly Exchange[]): string[] =>
  replaced(exchanges).flatMap(({ kind, operations, all: [first, ...more] }) => {
    if (!first?.mark || isUnjudged(first)) return [];
    const isOne = operations.size === 1;
    const of = exchanges.filter(({ operation, response }) => response && operations.has(operation)).length;
    const whose =
      kind === 'turned away'
        ? 'This is a limit, or an instance that does not know the key, and they are not judged'
        : isOne
          ? `They are ${[first, ...more].every(isExcluded) ? 'not judged, since fewer than' : 'judged, since at least'} ${enough({ kind, all: [first, ...more] })} requests got them`
          : 'They came from a gateway, not the service, and are not judged';
    return [
      `${more.length + 1} of ${of} answers of ${isOne ? first.operation : `${operations.size} operations`} were ${kinds[kind]} (${status(first)}, the first is #${first.id}); the same requests, sent again, got other answers. ${whose}.`,
    ];
  });

/** A remark on a restricted key that the target does not know: without permission, a known key gets 403. */
export function unknownKeyRemark(exchanges: readonly Exchange[]): string[] {
  const asked = exchanges.filter((one) => one.mark?.credential === 'restricted' && one.response && !isHtmlPage(one));
  return asked.length > 1 && asked.every((one) => one.response?.status === 401)
    ? [
        `All ${asked.length} requests with the restricted key got 401, as with a wrong key. Check that apiKeys.restricted in the target file is a key of the target and has not expired: only then is 401 the service's mistake.`,
      ]
    : [];
}

/**
 * Whether two refusals come from the same source, although the first is outside the contract: they have the same status
 * and message.
 */
export function saysNearlyTheSame(first: Exchange, second: Exchange): boolean {
  const [one, other] = [answerBody(first), answerBody(second)];
  if (!one || !other || !refused(first) || status(first) !== status(second)) return false;
  return one.message !== undefined && equal(one.message, other.message);
}
