/** interface: Execution, agentProfileId and agentProfileName. Whether it shows the profile that a start asked for. */

import { isUuid } from '../../../../common/values.js';
import { isOfRun } from '../../../engine/outcome/mark.js';
import { accepted, answerBody, requestBody } from '../../../engine/outcome/read.js';
import { readings } from '../../../engine/outcome/readings.js';
import { combined, violated } from '../../../engine/rule/findings.js';
import { asText, byKey, jsonText, sameId, sameName } from '../../../engine/rule/values.js';
import type { Evidence, Facts, Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { updatesProfile } from '../../operations.js';
import { replayUpdates } from '../../profiles/view.js';
import { isOfGroup, overlaps, recordedEnd, timed } from '../intervals.js';
import { agreement, presence, type RecordedValue } from '../recorded.js';
import { groupOf, profileOf } from '../view.js';

/** Whether the profile was renamed unasked: then it may have had names that nobody saw. */
const isRenamed = (history: ProfileHistory): boolean =>
  replayUpdates(history).some(({ changes }) => changes.some(({ setting }) => setting === 'name'));

/** Finds executions that show a profile under a name that it was never seen to have. */
function namesOfOthers({ traces, profiles }: Evidence): Finding[] {
  return traces.flatMap(({ readings: all }) => {
    const wrong = readings(all).find(({ exchange, execution: { agentProfileId, agentProfileName: name } }) => {
      if (!isOfRun(exchange)) return false;
      const history = profiles.find(({ profileId }) => sameId(profileId, agentProfileId));
      if (history && isRenamed(history)) return false;
      const names = (history?.exchanges ?? []).flatMap((one) =>
        updatesProfile(one) && accepted(one) ? [answerBody(one)?.name, requestBody(one)?.name].filter(text) : [],
      );
      return typeof name === 'string' && names.length > 0 && !names.some((one) => sameName(one, name));
    });
    return wrong
      ? violated(wrong.exchange, 'agentProfileName, a name of the profile', jsonText(wrong.execution.agentProfileName))
      : [];
  });
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

const profile: RecordedValue = {
  name: 'agentProfileId',
  field: 'profileId',
  given: ({ profileId }) => text(profileId),
  of: ({ agentProfileId }) => agentProfileId,
  isUnambiguous: true,
};

const groupProfile: RecordedValue = {
  name: 'agentProfileId, a profile of the group',
  field: 'profileGroupId',
  given: ({ profileGroupId }) => text(profileGroupId),
  of: ({ agentProfileId }) => agentProfileId,
};

/** Finds a profile of a group that two executions have at the same time, and more profiles than the group has. */
function ofTheGroup({ traces }: Evidence, { capacity }: Facts): Finding[] {
  const ours = timed(traces).flatMap((one) => {
    const { start, readings: all } = one.trace;
    const shown = readings(all).find(({ execution }) => isUuid(execution.agentProfileId));
    const id = shown?.execution.agentProfileId;
    const isMeant = isOfRun(start) && groupOf(start) !== undefined && profileOf(start) === undefined;
    return shown && isMeant && !sameId(id, groupOf(start)) ? [{ ...one, exchange: shown.exchange, id }] : [];
  });
  const twice = ours.flatMap((one, place) => {
    const isAlike = ({ id, trace }: typeof one) =>
      sameId(id, one.id) && sameId(groupOf(trace.start), groupOf(one.trace.start));
    // Without its record, a reading from a cache may show as running what has ended.
    const isBeside = ({ surely, trace }: typeof one) =>
      Number.isFinite(recordedEnd(trace)) && one.surely && overlaps(surely, one.surely);
    const other = ours.slice(0, place).find((each) => isAlike(each) && isBeside(each));
    const required = 'a profile of the group that no other running execution has';
    return other ? violated([one.exchange, other.exchange], required, jsonText(one.id)) : [];
  });
  const filled = byKey(ours.filter(isOfGroup(capacity?.profileGroup)), ({ id }) => asText(id).toLowerCase());
  const shown = [...filled.values()].flatMap(([one]) => one ?? []);
  const [extra] = shown.slice(capacity?.size);
  if (!capacity || !extra) return twice;
  const exchanges = [extra, ...shown].map(({ exchange }) => exchange);
  return [...twice, violated(exchanges, `one of the ${capacity.size} profiles of the group`, jsonText(extra.id))];
}

export const usedProfile = {
  'profile-is-recorded': agreement(profile, sameId),

  'used-profile-is-shown': { ...presence(profile), run: namesOfOthers },

  // The id of the group is not the id of a profile.
  'group-profile-is-recorded': combined(
    presence(groupProfile, (profileId, groupId) => !sameId(profileId, groupId)),
    { run: ofTheGroup },
  ),
} satisfies Judges;
