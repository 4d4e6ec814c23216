import type { Exchange } from '../vocabulary.js';
import { isPage, outcomeOf } from './outcome.js';

/** Remarks on a key that was good, and was refused now and then: limits say so, and instances that do not know it. */
export function turnedAway(exchanges: readonly Exchange[]): string[] {
  const [first, ...more] = exchanges.filter(
    (one) =>
      one.mark?.credential === 'primary' &&
      one.mark.retried &&
      outcomeOf(one).unexpected === 'turned away' &&
      !isPage(one) &&
      exchanges.some(
        (other) => other.id > one.id && isSentAgain(one, other) && outcomeOf(other).unexpected !== 'turned away',
      ),
  );
  if (!first) return [];
  const requests = more.length === 0 ? 'One request' : `${more.length + 1} requests`;
  return [
    `${requests} with the full key got ${first.response?.status} (the first is #${first.id}), and another answer when sent again. This is a rate limit, or an instance that does not know the key.`,
  ];
}

const isSentAgain = ({ mark }: Exchange, { mark: later }: Exchange): boolean =>
  mark?.journey === later?.journey && mark?.step === later?.step;

/** A remark on a restricted key that nothing knows: who has no permission is told 403, and who has no key 401. */
export function unknownKey(exchanges: readonly Exchange[]): string[] {
  const asked = exchanges.filter((one) => one.mark?.credential === 'restricted' && one.response && !isPage(one));
  return asked.length > 1 && asked.every((one) => one.response?.status === 401)
    ? [
        `All ${asked.length} requests with the restricted key got 401, as with a wrong key. Check that apiKeys.restricted in the target file is a key of the target and has not expired: only then is 401 the service's mistake.`,
      ]
    : [];
}
