/** interface: Execution, agentProfileId and agentProfileName. The profile that a start asked for. */

import { accepted, answer, sent } from '../../../engine/outcome/read.js';
import { readings } from '../../../engine/outcome/readings.js';
import { violated } from '../../../engine/rule/findings.js';
import { sameId, sameName } from '../../../engine/rule/values.js';
import { shown } from '../../../engine/rule/words.js';
import type { Evidence, Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { replayUpdates } from '../../profiles/view.js';
import { agreement, presence, type Recorded } from '../recorded.js';

const besideSequences = ['explore', 'sweep'];

/** Whether the name of a profile changed without the run: what it was in between nobody saw. */
const isRenamed = (history: ProfileHistory): boolean =>
  replayUpdates(history).updates.some(
    ({ foreign, changes }) => foreign.includes('name') || changes.some(({ setting }) => setting === 'name'),
  );

/** Executions that show a profile under a name that it was never seen to have: what the run was shown of it begins before any change. */
function namesOfOthers({ traces, profiles }: Evidence): Finding[] {
  return traces.flatMap(({ readings: all }) => {
    const wrong = readings(all).find(({ exchange, execution: { agentProfileId, agentProfileName: name } }) => {
      // What sequences named is evidence of their own: neither there nor after them all names are known.
      if (!exchange.mark || besideSequences.includes(exchange.mark.journey)) return false;
      const history = profiles.find(({ profileId }) => sameId(profileId, agentProfileId));
      if (history && isRenamed(history)) return false;
      const names = (history?.exchanges ?? []).flatMap((one) =>
        accepted(one) ? [answer(one)?.name, sent(one)?.name].filter(text) : [],
      );
      return typeof name === 'string' && names.length > 0 && !names.some((one) => sameName(one, name));
    });
    return wrong
      ? violated(wrong.exchange, 'agentProfileName, a name of the profile', shown(wrong.execution.agentProfileName))
      : [];
  });
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

const profile: Recorded = {
  name: 'agentProfileId',
  given: ({ profileId }) => text(profileId),
  of: ({ agentProfileId }) => agentProfileId,
  isPlain: true,
};

const groupProfile: Recorded = {
  name: 'agentProfileId, a profile of the group',
  given: ({ profileGroupId }) => text(profileGroupId),
  of: ({ agentProfileId }) => agentProfileId,
};

export const usedProfile = {
  'profile-is-recorded': agreement(profile, sameId),

  'used-profile-is-shown': { ...presence(profile), run: namesOfOthers },

  // A group is no profile.
  'group-profile-is-recorded': presence(groupProfile, (profileId, groupId) => !sameId(profileId, groupId)),
} satisfies Judges;
