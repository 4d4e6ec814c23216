/** What a start was given is in the execution. interface: Execution. */
import type { RuleId } from '../../../generated/rules.js';
import { type Fields, isFields, sent } from '../../evidence/read.js';
import { hasBegun, readings } from '../../evidence/runs.js';
import { contains, equal, sameId } from '../../evidence/values.js';
import type { Judge } from '../../vocabulary.js';
import { broken, kept } from '../findings.js';
import { shown } from '../words.js';

/**
 * Judges that `of` an execution agrees with `given` at its start: wherever it shows, and it has to show once the run has
 * begun. Before that a service may still be at it.
 */
function agreement(
  name: string,
  given: (body: Fields) => unknown,
  of: (execution: Fields) => unknown,
  agrees: (recorded: unknown, given: unknown) => boolean,
): Judge {
  return {
    trace({ start, readings: all }) {
      const value = start && !start.mark?.probe ? given(sent(start) ?? {}) : undefined;
      if (!start || value === undefined) return undefined;
      const history = readings(all).map((reading) => ({ ...reading, value: of(reading.execution) ?? undefined }));
      const wrong = history.find((reading) => reading.value !== undefined && !agrees(reading.value, value));
      const last = history.findLast(({ status }) => hasBegun(status));
      const at = wrong ?? (last?.value === undefined ? last : undefined);
      if (at) return broken([at.exchange, start], `${name} ${shown(value)}, as given at the start`, shown(at.value));
      const telling = history.findLast((reading) => reading.value !== undefined);
      return telling && kept([telling.exchange, start]);
    },
  };
}

const filled = (value: unknown) => (isFields(value) && Object.keys(value).length > 0 ? value : undefined);
const softTimeout = ({ executionOptions }: Fields) =>
  isFields(executionOptions) && typeof executionOptions.softTimeoutMins === 'number'
    ? executionOptions.softTimeoutMins
    : undefined;
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const includesAll = (value: unknown, given: unknown) => isFields(given) && contains(value, given);

export const recorded = {
  'inputs-are-recorded': agreement(
    'inputs',
    ({ inputs }) => filled(inputs),
    ({ inputs }) => inputs,
    includesAll,
  ),
  'metadata-is-recorded': agreement(
    'metadata',
    ({ metadata }) => filled(metadata),
    ({ metadata }) => metadata,
    includesAll,
  ),
  'options-are-recorded': agreement('softTimeoutMins', softTimeout, softTimeout, equal),
  'profile-is-recorded': agreement(
    'agentProfileId',
    ({ profileId }) => text(profileId),
    ({ agentProfileId }) => agentProfileId,
    sameId,
  ),
  'group-profile-is-recorded': agreement(
    'agentProfileId, a profile of the group',
    ({ profileGroupId }) => text(profileGroupId),
    ({ agentProfileId }) => agentProfileId,
    () => true,
  ),
} satisfies Partial<Record<RuleId, Judge>>;
