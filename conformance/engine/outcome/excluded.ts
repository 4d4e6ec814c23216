import { contract } from '../contract.js';
import { byKey } from '../rule/values.js';
import type { Evidence, Exchange } from '../vocabulary.js';
import { hasValidRequestBody, isChallenge, isHtmlPage, isOutsideContract, outcomeOf } from './outcome.js';
import { accepted, firstServerError, forbidden, isMeantToPass, redirects, status } from './read.js';
import { answeredAt } from './when.js';

/** Answers that tell nothing of the service. They are not judged, and the report says why. */

export interface Exclusion {
  readonly exchanges: readonly Exchange[];
  readonly reason: string;
}

/** Answers of somebody other than the service. */
export const excluded = ({ exchanges }: Evidence): Exclusion[] => [
  ...redirected(exchanges),
  ...rejected(exchanges),
  ...stoodIn(exchanges),
  ...failedBetween(exchanges),
];

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
  const telling = exchanges.filter((one) => one.request.body.kind !== 'none' && !one.mark?.excluded && isTelling(one));
  const answers = byKey(telling, wordsOf);
  const answersJson = ({ operation }: Exchange) =>
    exchanges.some((one) => one.operation === operation && accepted(one) && one.response?.body.kind === 'json');
  return [...answers.values()].flatMap((all) => {
    const right = all.filter(
      (one) => one.mark?.credential === 'primary' && hasValidRequestBody(one) && answersJson(one),
    );
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

const stepOf = ({ mark, request }: Exchange): string =>
  [mark?.scenario, mark?.step, mark?.credential, request.method, request.url].join(' ');

/** Periods in which every answer was the same, and outside the contract. Server errors are treated elsewhere. */
function outages(exchanges: readonly Exchange[]): Exchange[][] {
  const runs: Exchange[][] = [];
  let words: string | undefined;
  for (const one of exchanges.filter(({ response }) => response).toSorted((a, b) => answeredAt(a) - answeredAt(b))) {
    const isOther = (status(one) ?? firstServerError) < firstServerError && isOutsideContract(one);
    const now = isOther ? wordsOf(one) : undefined;
    if (now !== undefined && now === words) runs.at(-1)?.push(one);
    else if (now !== undefined) runs.push([one]);
    words = now;
  }
  return runs;
}

/**
 * Answers of such periods to requests that were not retried. They came from a gateway if several operations, and
 * requests that must be accepted, were answered so, and one of these requests was accepted later.
 */
function stoodIn(exchanges: readonly Exchange[]): Exclusion[] {
  const takenAfter = (one: Exchange) =>
    exchanges.some(
      (next) => next.id > one.id && accepted(next) && !isOutsideContract(next) && stepOf(next) === stepOf(one),
    );
  return outages(exchanges).flatMap((alike) => {
    const operations = new Set(alike.map(({ operation }) => operation));
    const left = alike.filter(({ mark }) => !mark?.excluded);
    const [first] = left;
    if (!first || operations.size < 2 || !left.some(isMeantToPass) || !alike.some(takenAfter)) return [];
    const reason = `For a while every request was answered ${status(first)} with the same text, which is not in the contract (the first is #${first.id}). This came from a gateway, not the service; what could not be sent again is not judged.`;
    return [{ exchanges: left, reason }];
  });
}

/**
 * Server errors outside the contract that could not be sent again, in the words of others that two operations at least got
 * and that were gone when they were sent again: something between the suite and the service fails at times.
 */
function failedBetween(exchanges: readonly Exchange[]): Exclusion[] {
  const errors = exchanges.filter((one) => (status(one) ?? 0) >= firstServerError && isOutsideContract(one));
  return [...byKey(errors, wordsOf).values()].flatMap((alike) => {
    const [repeated, left] = [true, false].map((is) => alike.filter(({ mark }) => (mark?.excluded === true) === is));
    const [first] = left ?? [];
    if (!first || new Set(repeated?.map(({ operation }) => operation)).size < 2) return [];
    const reason = `${status(first)} outside the contract came from several operations and was gone when they were sent again (the first that could not be is #${first.id}). This came from a gateway, not the service; it is not judged.`;
    return [{ exchanges: left ?? [], reason }];
  });
}

/** Remarks on a good key that was refused occasionally, by a rate limit or by an instance that does not know it. */
export function rejectedKeyRemarks(exchanges: readonly Exchange[]): string[] {
  const [first, ...more] = exchanges.filter(
    (one) =>
      one.mark?.credential === 'primary' &&
      one.mark.excluded &&
      outcomeOf(one).unexpected === 'turned away' &&
      !isHtmlPage(one) &&
      exchanges.some(
        (other) => other.id > one.id && isSentAgain(one, other) && outcomeOf(other).unexpected !== 'turned away',
      ),
  );
  if (!first) return [];
  const requests = more.length === 0 ? 'One request' : `${more.length + 1} requests`;
  return [
    `${requests} with the primary key got ${first.response?.status} (the first is #${first.id}), and another answer when sent again. This is a rate limit, or an instance that does not know the key.`,
  ];
}

const isSentAgain = ({ mark }: Exchange, { mark: later }: Exchange): boolean =>
  mark?.scenario === later?.scenario && mark?.step === later?.step;

/** A remark on a restricted key that the target does not know: without permission, a known key gets 403. */
export function unknownKeyRemark(exchanges: readonly Exchange[]): string[] {
  const asked = exchanges.filter((one) => one.mark?.credential === 'restricted' && one.response && !isHtmlPage(one));
  return asked.length > 1 && asked.every((one) => one.response?.status === 401)
    ? [
        `All ${asked.length} requests with the restricted key got 401, as with a wrong key. Check that apiKeys.restricted in the target file is a key of the target and has not expired: only then is 401 the service's mistake.`,
      ]
    : [];
}
