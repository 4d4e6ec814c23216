/** interface: Execution options. What a start was given. */

import type { RuleId } from '../../../../generated/rules.js';
import { isFields } from '../../../engine/outcome/read.js';
import { type Reading, readings } from '../../../engine/outcome/readings.js';
import { equal } from '../../../engine/rule/values.js';
import type { Judge } from '../../../engine/vocabulary.js';
import { inheritedOptions, softTimeout } from '../inherited-options.js';
import { presence, type Recorded } from '../recorded.js';

const options: Recorded = { name: 'softTimeoutMins', given: softTimeout, of: softTimeout };

const optionsAreThere = presence(options, equal);

const showsOptions = ({ execution }: Reading): boolean => isFields(execution.executionOptions);

export const givenOptions = {
  /**
   * Seen: a start with options, and its execution. Kept where that shows them, broken where it shows others. executionOptions
   * are optional: of a service that never shows them nothing is said.
   */
  'options-are-recorded': {
    trace: (trace, facts) => (readings(trace.readings).some(showsOptions) ? optionsAreThere.trace?.(trace, facts) : []),
    run: (evidence, facts) => [
      ...(evidence.traces.some(({ readings: all }) => readings(all).some(showsOptions))
        ? evidence.traces
            .filter(({ readings: all }) => !readings(all).some(showsOptions))
            .flatMap((trace) => optionsAreThere.trace?.(trace, facts) ?? [])
        : []),
      ...inheritedOptions(evidence),
    ],
  },
} satisfies Partial<Record<RuleId, Judge>>;
