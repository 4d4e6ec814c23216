import { isFields, showing, without } from '../change.js';
import type { Variation } from '../variation.js';

const masked = (value: unknown): unknown => {
  if (typeof value === 'string') return '••••••';
  if (Array.isArray(value)) return value.map(masked);
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one)])) : value;
};

/** What every user would expect, and the interface does not say. Faults that break nothing but a SHOULD are more of it. */
export const impliedVariations: readonly Variation[] = [
  {
    id: 'masked-inputs',
    says: 'Texts in inputs are masked.',
    behaviour: showing((one) => (one.inputs ? { ...one, inputs: masked(one.inputs) } : one)),
  },
  {
    id: 'used-inputs-only',
    says: 'An execution shows the one input that it used.',
    warns: ['inputs-are-shown'],
    behaviour: showing((one) => {
      const [first] = Object.entries(one.inputs ?? {});
      return first ? { ...one, inputs: Object.fromEntries([first]) } : one;
    }),
  },
  {
    id: 'reticent-executions',
    says: 'An execution shows nothing of what its start gave.',
    warns: [
      'inputs-are-shown',
      'metadata-is-shown',
      'options-are-recorded',
      'used-profile-is-shown',
      'group-profile-is-recorded',
    ],
    behaviour: showing((one) =>
      without(one, 'inputs', 'metadata', 'executionOptions', 'agentProfileId', 'agentProfileName'),
    ),
  },
  {
    id: 'reviewed-executions',
    says: 'After its end, an execution gets more metadata with each reading.',
    behaviour: (base) => {
      let readings = 0;
      return {
        presentExecution: (run) => {
          const one = base.presentExecution(run);
          if (run.terminalAt === undefined) return one;
          readings += 1;
          return { ...one, metadata: { ...one.metadata, [`reviewed ${readings}`]: 'yes' } };
        },
      };
    },
  },
];
