/** interface: POST duplicate. A copy is a profile of its own, with a name of its own, and every operation finds it. */

import { isOfRun, isProbe } from '../../../engine/outcome/mark.js';
import { notAccepted, outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  type Fields,
  isCopyRequest,
  isId,
  isStart,
  refused,
  requestBody,
  requestFields,
  status,
} from '../../../engine/outcome/read.js';
import { answeredAt, clocksApartMs, isAfterReplicaLag, precedes, saysTheSame } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { probesOf } from '../../../engine/rule/probes.js';
import { has, jsonText, sameId, withEarlier } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { updatesProfile } from '../../operations.js';
import type { Duplication } from '../../profiles/update.js';
import { updatesOf } from '../../profiles/updates-and-copies.js';
import { areFilledElsewhere } from '../../starts/asked.js';
import { atHome, duplicationsIn, eachCopy, failures, staysHome, target } from '../view.js';

/** Finds a start with a copy that was refused like one with an unknown profile, though the copy could be updated. */
function unknownToStarts({ exchange, copy }: Duplication, evidence: Evidence): Finding | [] {
  const starts = evidence.exchanges.filter(isStart);
  const unknown = probesOf(evidence, 'execute-profile-must-exist').find(
    (one) => requestFields(one).profileId !== undefined,
  );
  // The words say something about the profile only if other refusals differ, or the status is 404.
  const isTelling = (one: Exchange) =>
    status(one) === 404 ||
    starts.some((other) => refused(other) && status(other) === status(one) && !saysTheSame(other, one));
  const start = starts.find(
    (one) =>
      sameId(requestFields(one).profileId, copy.id) &&
      // A temp file may be gone.
      requestFields(one).tempFiles === undefined &&
      areFilledElsewhere(one, starts) &&
      isAfterReplicaLag(one, exchange) &&
      refused(one) &&
      outcomeOf(one).kind === 'refused' &&
      unknown !== undefined &&
      saysTheSame(one, unknown) &&
      isTelling(one),
  );
  const updates = evidence.profiles.find(({ profileId }) => sameId(profileId, copy.id))?.exchanges ?? [];
  const update = start && updates.find((one) => accepted(one) && precedes(start, one));
  return update ? violated([start, exchange, update], 'a profile that starts find as updates do') : [];
}

/** Whether a request updates a profile, or starts an execution with it. */
const uses = (one: Exchange, id: string): boolean =>
  isStart(one) ? sameId(requestFields(one).profileId, id) : updatesProfile(one) && sameId(one.resource, id);

/** Whether two recorders may have seen the same duplication, each at its own time. */
const maySeeOne = (one: Exchange, other: Exchange): boolean =>
  !isOfRun(one) && Math.abs(one.at - other.at) <= clocksApartMs;

export const newCopies = {
  /**
   * Judges a duplication. Passes if its answer has a new id. Fails if that is the id of the source or of another
   * copy, if no duplication is accepted, or if a start is told that the copy does not exist.
   */
  'duplicate-is-new': {
    exchange(exchange) {
      if (!isCopyRequest(exchange) || !accepted(exchange)) return undefined;
      const id = answerBody(exchange)?.id;
      return isId(id) && !sameId(id, exchange.resource)
        ? satisfied(exchange)
        : violated(exchange, 'a profile of another id', `id ${jsonText(id)}`);
    },
    profile: (history) =>
      withEarlier(
        updatesOf(history).duplications,
        (a, b) => sameId(a.copy.id, b.copy.id) && !maySeeOne(a.exchange, b.exchange),
      ).map(([{ exchange, copy }, earlier]) =>
        violated([exchange, earlier.exchange], 'a new id for each copy', jsonText(copy.id)),
      ),
    run(evidence) {
      const { profiles } = evidence;
      const copies = duplicationsIn(profiles);
      if (copies.length > 0) return copies.flatMap((one) => unknownToStarts(one, evidence)).slice(0, 1);
      const failing = profiles.find((history) => failures(history, false).length > 0);
      // Shows that the profile is there: an update of it, or a start that uses it.
      const peer =
        failing && evidence.exchanges.find((one) => isOfRun(one) && accepted(one) && uses(one, failing.profileId));
      return failing
        ? failures(failing, false)
            .slice(0, 1)
            .map((one) => notAccepted(one, peer, 'a 2xx with the copy'))
        : [];
    },
  },

  /**
   * Judges a copy in the organization of its source. Passes if it has another name than the source; fails if it
   * has the same, or that of another copy.
   */
  'duplicate-name-is-unique': {
    ...eachCopy((duplication) => {
      const { exchange, copy, source } = duplication;
      if (!atHome(duplication)) return undefined;
      return copy.name === source.profile.name
        ? violated([exchange, source.exchange], `a name other than ${jsonText(copy.name)}, the source's`, 'the same')
        : satisfied([exchange, source.exchange]);
    }),
    run({ profiles }) {
      // Recorded copies may have been renamed, or be gone.
      const copies = duplicationsIn(profiles).filter(({ exchange }) => isOfRun(exchange));
      const alike = withEarlier(
        copies,
        (control, { exchange, copy }) =>
          control.copy.name === copy.name &&
          !isRenamed(profiles, control.copy, exchange) &&
          sameId(control.copy.organizationId, copy.organizationId) &&
          !sameId(control.copy.id, copy.id),
      );
      return alike.map(([{ exchange, copy }, control]) =>
        violated([exchange, control.exchange], `a name other than ${jsonText(copy.name)}, another copy's`, 'the same'),
      );
    },
  },
} satisfies Judges;

/** Whether a copy was renamed, or showed another name, before another exchange was answered. */
const isRenamed = (profiles: readonly ProfileHistory[], { id, name }: Fields, before: Exchange): boolean =>
  profiles.some(
    ({ profileId, exchanges }) =>
      sameId(profileId, id) &&
      exchanges.some(
        (one) =>
          accepted(one) &&
          (typeof requestBody(one)?.name === 'string' || answerBody(one)?.name !== name) &&
          one.at <= answeredAt(before),
      ),
  );

// interface: POST duplicate, organizationId.

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
