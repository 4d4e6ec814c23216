/** Updates that may have been refused because they carried no name. */
import { accepted, requestBody, status } from '../../engine/outcome/read.js';
import type { Evidence, Exchange } from '../../engine/vocabulary.js';

/**
 * Whether an update may have been refused because it has no name: none without one was ever accepted. interface: PATCH
 * agent-profiles, which fields are required is not shown.
 */
export const mayLackName = ({ exchanges }: Evidence, probe: Exchange): boolean => {
  const isNameless = (one: Exchange) => one.operation === 'updateProfile' && !('name' in (requestBody(one) ?? {}));
  return (
    isNameless(probe) &&
    [400, 422].includes(status(probe) ?? 0) &&
    !exchanges.some((one) => isNameless(one) && accepted(one))
  );
};
export const lacksName = 'The update may have been refused for its missing name: none without a name was accepted.';
