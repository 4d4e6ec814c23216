/** Operations that are always answered with a redirect: the address of the target file is not that of the service. */
import { contract, type OperationId } from '../contract.js';
import type { Evidence, Exchange } from '../vocabulary.js';
import { outcomeOf } from './outcome.js';

export interface Redirected {
  readonly operation: OperationId;
  readonly text: string;
}

/** The operations of which every request was redirected to another place, whatever it asked for. */
export const redirected = ({ exchanges }: Evidence): Redirected[] =>
  contract().operationIds.flatMap((operation) => {
    const answered = exchanges.filter((one) => one.operation === operation && one.response);
    const [first] = answered;
    if (!first?.response || !answered.every((one) => outcomeOf(one).form === 'redirect')) return [];
    const { status, headers } = first.response;
    const text = `Every ${operation} was redirected (${status}) to ${headers.location ?? 'nowhere'}. Redirects are not followed, because the key would be sent along. Set baseUrl to the final address, or remove the redirect.`;
    return [{ operation, text }];
  });

/** The evidence without what was redirected, which tells nothing of the service. */
export function withoutRedirected(evidence: Evidence, all: readonly Redirected[]): Evidence {
  if (all.length === 0) return evidence;
  const left = (exchanges: readonly Exchange[]) =>
    exchanges.filter((one) => !all.some(({ operation }) => operation === one.operation));
  return {
    ...evidence,
    exchanges: left(evidence.exchanges),
    profiles: evidence.profiles.map((one) => ({ ...one, exchanges: left(one.exchanges) })),
  };
}
