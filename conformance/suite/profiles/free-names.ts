import { outcomeOf } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, isClientError, requestBody, status } from '../../engine/outcome/read.js';
import { isAfterReplicaLag, precedes } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { sameId } from '../../engine/rule/values.js';
import { jsonText } from '../../engine/rule/words.js';
import type { Evidence, Exchange, Finding } from '../../engine/vocabulary.js';
import { namedBack } from '../copies/named-back.js';
import { isItemOfSuite } from './own-items.js';

/**
 * Finds names that were refused though no profile of the organization has them: only one in another organization has,
 * or the same profile had it some time ago. The profile then accepted another name.
 */
export function refusedThoughFree({ profiles }: Evidence): Finding[] {
  const all = profiles.flatMap(({ exchanges }) => exchanges.filter((one) => one.mark && accepted(one)));
  return profiles.flatMap(({ profileId, exchanges }) =>
    exchanges.flatMap((one): Finding | [] => {
      const name = nameAlone(one);
      const home = all.find((other) => other.resource === profileId && isUpdate(other));
      // key-refusal-does-nothing judges duplications that were refused for their key, and may have taken a name.
      const isOther = one.mark?.probe !== undefined || Object.values<unknown>(namedBack).includes(one.mark?.step);
      if (name === undefined || !isItemOfSuite({ name }) || !home || isOther || !isRefusedAsItIs(one)) return [];
      const others = exchanges.filter((other) => isUpdate(other) && accepted(other));
      const next = others.find((other) => precedes(one, other) && (nameAlone(other) ?? name) !== name);
      const isHome = (other: Exchange) => sameId(answerBody(other)?.organizationId, answerBody(home)?.organizationId);
      const withName = all.filter((other) => answerBody(other)?.name === name);
      const abroad = withName.find((other) => !isHome(other) && precedes(other, one));
      const had = others.findLast((other) => withName.includes(other) && precedes(other, one));
      const left = had && others.find((other) => precedes(had, other) && precedes(other, one));
      // A copy that was made later did not have the name yet.
      const isLater = (other: Exchange) =>
        all.some(
          (made) =>
            made.operation === 'duplicateProfile' &&
            precedes(one, made) &&
            sameId(answerBody(made)?.id, answerBody(other)?.id),
        );
      const isTheirs = withName.some(
        (other) => isHome(other) && !sameId(answerBody(other)?.id, profileId) && !isLater(other),
      );
      const evidence = left && isAfterReplicaLag(one, left) ? had : abroad;
      return evidence && next && !isTheirs
        ? violated([one, evidence, next], `${jsonText(name)} taken, which no other profile of the organization has`)
        : [];
    }),
  );
}

/** The name of an update that asks for nothing else. */
function nameAlone(exchange: Exchange): string | undefined {
  const { name, ...rest } = requestBody(exchange) ?? {};
  return isUpdate(exchange) && typeof name === 'string' && Object.keys(rest).length === 0 ? name : undefined;
}

/** A name that is taken may be refused with 409. */
const isRefusedAsItIs = (exchange: Exchange): boolean =>
  isClientError(exchange) && (status(exchange) === 409 || outcomeOf(exchange).kind === 'refused');

const isUpdate = ({ operation }: Exchange): boolean => operation === 'updateProfile';
