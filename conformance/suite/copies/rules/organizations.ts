/** interface: POST duplicate, organizationId. */

import { isProbe } from '../../../engine/outcome/mark.js';
import { notAccepted } from '../../../engine/outcome/outcome.js';
import { accepted, answerBody, isCopyRequest } from '../../../engine/outcome/read.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { has, jsonText, sameId } from '../../../engine/rule/values.js';
import type { Judges } from '../../../engine/vocabulary.js';
import type { Duplication } from '../../profiles/update.js';
import { updatesOf } from '../../profiles/updates-and-copies.js';
import { duplicationsIn, failures, staysHome, target } from '../view.js';

export const copyOrganizations = {
  /**
   * Judges a duplication without organizationId. Passes if the copy is in the organization of the source; fails if
   * it is elsewhere, or refused though others are accepted.
   */
  'duplicate-stays-in-organization': {
    profile(history, facts) {
      const { updates, duplications } = updatesOf(history);
      // A profile never changes its organization, so any answer will do.
      const home = updates.find(({ profile }) => has(profile, 'organizationId'));
      return duplications.filter(staysHome).flatMap(({ exchange, copy }) => {
        // Of a profile that is never updated, it is known at least that it is not in the other one.
        if (!home && facts.otherOrganization !== undefined && sameId(copy.organizationId, facts.otherOrganization))
          return violated(exchange, 'the organization of the profile', 'the other one');
        if (!home) return [];
        const { organizationId } = home.profile;
        return sameId(copy.organizationId, organizationId)
          ? satisfied([exchange, home.exchange])
          : violated(
              [exchange, home.exchange],
              `organizationId ${jsonText(organizationId)}`,
              jsonText(copy.organizationId),
            );
      });
    },
    run({ profiles }, facts) {
      const copies = duplicationsIn(profiles);
      const isHome = ({ exchange, source }: Duplication) => sameId(target(exchange), source?.profile.organizationId);
      const peer = copies.find(staysHome) ?? copies.find(isHome);
      return (
        profiles
          // Another profile that no update found may not be there.
          .filter((one) => peer && (sameId(one.profileId, facts.profile) || updatesOf(one).updates.length > 0))
          .flatMap((history) => failures(history, false))
          .map((one) =>
            notAccepted(one, peer?.exchange, 'a copy, as other requests without organizationId have, or with the same'),
          )
      );
    },
  },

  /**
   * Judges a duplication with organizationId. Passes if the copy is in that organization; fails if it is
   * elsewhere, or refused though one without organizationId is accepted.
   */
  'duplicate-into-organization': {
    exchange(exchange) {
      const wanted = target(exchange);
      const copy = isCopyRequest(exchange) && accepted(exchange) ? answerBody(exchange) : undefined;
      if (!copy || !has(copy, 'organizationId') || wanted === undefined || isProbe(exchange)) return undefined;
      return sameId(copy.organizationId, wanted)
        ? satisfied(exchange)
        : violated(exchange, `organizationId ${jsonText(wanted)}`, jsonText(copy.organizationId));
    },
    run({ profiles }) {
      const peer = duplicationsIn(profiles).find(staysHome);
      return profiles
        .flatMap((history) => failures(history, true))
        .map((one) => notAccepted(one, peer?.exchange, 'a copy in the organization'));
    },
  },
} satisfies Judges;
