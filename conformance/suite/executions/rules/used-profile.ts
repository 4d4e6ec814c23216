/** interface: Execution, agentProfileId and agentProfileName. Whether it shows the profile that a start asked for. */

import { accepted, answerBody, requestBody } from '../../../engine/outcome/read.js';
import { readings } from '../../../engine/outcome/readings.js';
import { violated } from '../../../engine/rule/findings.js';
import { sameId, sameName } from '../../../engine/rule/values.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Evidence, Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { updatesProfile } from '../../operations.js';
import { replayUpdates } from '../../profiles/view.js';
import { agreement, presence, type RecordedValue } from '../recorded.js';

/** Whether the profile was renamed unasked: then it may have had names that nobody saw. */
const isRenamed = (history: ProfileHistory): boolean =>
  replayUpdates(history).some(({ changes }) => changes.some(({ setting }) => setting === 'name'));

/** Finds executions that show a profile under a name that it was never seen to have. */
function namesOfOthers({ traces, profiles }: Evidence): Finding[] {
  return traces.flatMap(({ readings: all }) => {
    const wrong = readings(all).find(({ exchange, execution: { agentProfileId, agentProfileName: name } }) => {
      if (!exchange.mark) return false;
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

export const usedProfile = {
  'profile-is-recorded': agreement(profile, sameId),

  'used-profile-is-shown': { ...presence(profile), run: namesOfOthers },

  // The id of the group is not the id of a profile.
  'group-profile-is-recorded': presence(groupProfile, (profileId, groupId) => !sameId(profileId, groupId)),
} satisfies Judges;
