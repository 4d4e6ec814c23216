import { outcomeOf } from '../../engine/outcome/outcome.js';
import { accepted, answer, declined, sent, status } from '../../engine/outcome/read.js';
import { isLongAfter, precedes } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { sameId } from '../../engine/rule/values.js';
import { shown } from '../../engine/rule/words.js';
import type { Evidence, Exchange, Finding } from '../../engine/vocabulary.js';
import { namedBack } from '../copies/named-back.js';
import { isOwn } from './own-items.js';

/**
 * A name that was refused though nobody here has it: the run made it up, and it is that of a profile of another organization
 * alone, or was that of the same profile some time ago. The profile took another one right after.
 */
export function refusedThoughFree({ profiles }: Evidence): Finding[] {
  const all = profiles.flatMap(({ exchanges }) => exchanges.filter((one) => one.mark && accepted(one)));
  return profiles.flatMap(({ profileId, exchanges }) =>
    exchanges.flatMap((one): Finding | [] => {
      const name = nameAlone(one);
      const home = all.find((other) => other.resource === profileId && isUpdate(other));
      // What a duplication that was refused for its key may have taken is for key-refusal-does-nothing to say.
      const isOther = one.mark?.probe !== undefined || Object.values<unknown>(namedBack).includes(one.mark?.step);
      if (name === undefined || !isOwn({ name }) || !home || isOther || !isRefusedAsItIs(one)) return [];
      const others = exchanges.filter((other) => isUpdate(other) && accepted(other));
      const next = others.find((other) => precedes(one, other) && (nameAlone(other) ?? name) !== name);
      const isHome = (other: Exchange) => sameId(answer(other)?.organizationId, answer(home)?.organizationId);
      const withName = all.filter((other) => answer(other)?.name === name);
      const abroad = withName.find((other) => !isHome(other) && precedes(other, one));
      const had = others.findLast((other) => withName.includes(other) && precedes(other, one));
      const left = had && others.find((other) => precedes(had, other) && precedes(other, one));
      // A copy that was made later did not have it yet.
      const isLater = (other: Exchange) =>
        all.some(
          (made) =>
            made.operation === 'duplicateProfile' && precedes(one, made) && sameId(answer(made)?.id, answer(other)?.id),
        );
      const isTheirs = withName.some(
        (other) => isHome(other) && !sameId(answer(other)?.id, profileId) && !isLater(other),
      );
      const known = left && isLongAfter(one, left) ? had : abroad;
      return known && next && !isTheirs
        ? violated([one, known, next], `${shown(name)} taken, which no other profile of the organization has`)
        : [];
    }),
  );
}

/** The name that an update asks for, and nothing else. */
function nameAlone(exchange: Exchange): string | undefined {
  const { name, ...rest } = sent(exchange) ?? {};
  return isUpdate(exchange) && typeof name === 'string' && Object.keys(rest).length === 0 ? name : undefined;
}

/** With 409 names are refused that somebody has. */
const isRefusedAsItIs = (exchange: Exchange): boolean =>
  declined(exchange) && (status(exchange) === 409 || outcomeOf(exchange).kind === 'refused');

const isUpdate = ({ operation }: Exchange): boolean => operation === 'updateProfile';
