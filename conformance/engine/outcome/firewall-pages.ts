/** Answers by which a firewall turns requests away for what is in their bodies: pages, some of them with a status of success, and JSON of its own. */
import type { Evidence, Exchange } from '../vocabulary.js';
import { isAsShown, isChallenge, isOutsideContract, isPage } from './outcome.js';
import { accepted } from './read.js';
import { forbidden } from './statuses.js';

export interface Rejected {
  readonly exchanges: readonly Exchange[];
  readonly text: string;
}

/** Ids of incidents and times aside. */
export function saysOf({ response }: Exchange): string {
  const body = response?.body;
  const text = body?.kind === 'json' ? JSON.stringify(body.value) : body?.kind === 'not-json' ? body.text : '';
  return `${response?.status} ${text.replaceAll(/[\da-f-]*\d[\da-f-]*/gi, '')}`;
}

const isForbidden = ({ response }: Exchange): boolean => response?.status === forbidden;

/** JSON by which a key is forbidden something, in words that are none of the contract's. */
const isOwnJson = (one: Exchange): boolean =>
  isForbidden(one) && one.response?.body.kind === 'json' && isOutsideContract(one);

/** Whether the full key asked for what the contract has: no service has a reason to answer that with a page. */
const isRight = (one: Exchange): boolean => one.mark?.credential === 'primary' && isAsShown(one);

const isTelling = (one: Exchange): boolean => (isPage(one) ? accepted(one) || isForbidden(one) : isOwnJson(one));

/**
 * The same answer to right requests of several operations, which answer others as the contract has it: it is none of the
 * service's. With 403 one operation tells it, as the full key may do all.
 */
export function rejected({ exchanges }: Evidence): Rejected[] {
  const answers = new Map<string, Exchange[]>();
  for (const one of exchanges)
    if (one.request.body.kind !== 'none' && !one.mark?.superseded && isTelling(one))
      answers.set(saysOf(one), [...(answers.get(saysOf(one)) ?? []), one]);
  const answersJson = ({ operation }: Exchange) =>
    exchanges.some((one) => one.operation === operation && accepted(one) && one.response?.body.kind === 'json');
  return [...answers.values()].flatMap((all) => {
    const right = all.filter((one) => isRight(one) && answersJson(one));
    const operations = [...new Set(right.map(({ operation }) => operation))];
    const [first] = right;
    if (!first || (accepted(first) && operations.length < 2 && !isChallenge(first))) return [];
    const what = all.length === 1 ? 'A request was' : `${all.length} requests were`;
    const how = isPage(first)
      ? `one page of HTML${isChallenge(first) ? ' or nothing' : ''}`
      : 'JSON that is not in the contract';
    const text = `${what} answered ${first.response?.status} with ${how} (the first is #${first.id}), and others of the same operations with JSON of the contract. This is most likely a firewall that rejects their bodies, not the service; they are not judged.`;
    return [{ exchanges: all, text }];
  });
}

/** The evidence without such answers, which tells nothing of the service. */
export function withoutRejected(evidence: Evidence, all: readonly Rejected[]): Evidence {
  if (all.length === 0) return evidence;
  const told = new Set(all.flatMap(({ exchanges }) => exchanges.map(({ id }) => id)));
  const left = (exchanges: readonly Exchange[]) => exchanges.filter(({ id }) => !told.has(id));
  return {
    ...evidence,
    exchanges: left(evidence.exchanges),
    profiles: evidence.profiles.map((one) => ({ ...one, exchanges: left(one.exchanges) })),
  };
}
