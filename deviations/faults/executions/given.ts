/** Faults in how an execution shows what its start gave. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Execution } from '../../../generated/types.js';
import { profileIds } from '../../../reference/fixtures.js';
import { type Fields, isFields, knowingSources, showing, without } from '../../change.js';
import type { Fault } from '../../fault.js';

const mapped = (fields: Fields | undefined, change: (name: string, value: unknown) => [string, unknown]) =>
  fields && Object.fromEntries(Object.entries(fields).map(([name, value]) => change(name, value)));

const inputs = (change: (inputs: Fields) => unknown) =>
  showing((one) => (one.inputs ? { ...one, inputs: change(one.inputs) } : one));

const metadata = (change: (metadata: Fields) => unknown) =>
  showing((one) => (one.metadata ? { ...one, metadata: change(one.metadata) } : one));

const softTimeout = (change: (minutes: number) => number | undefined) =>
  showing((one) => {
    const minutes = one.executionOptions?.softTimeoutMins;
    if (minutes === undefined) return one;
    const changed = change(minutes);
    const { softTimeoutMins: _, ...others } = one.executionOptions ?? {};
    return {
      ...one,
      executionOptions: changed === undefined ? others : { ...others, softTimeoutMins: changed },
    };
  });

/** A run without softTimeoutMins shows the value of the last start of its workflow that had one. */
const keepingOptions: Fault['behaviour'] = (base) => {
  const last = new Map<string, number>();
  const kept = new Map<string, number>();
  return {
    stepsOf: (run) => {
      const minutes = run.start.softTimeoutMins ?? last.get(run.workflow.id);
      if (minutes !== undefined) {
        last.set(run.workflow.id, minutes);
        kept.set(run.id, minutes);
      }
      return base.stepsOf(run);
    },
    presentExecution: (run) => {
      const one = base.presentExecution(run);
      const softTimeoutMins = kept.get(run.id);
      return softTimeoutMins === undefined
        ? one
        : { ...one, executionOptions: { ...one.executionOptions, softTimeoutMins } };
    },
  };
};

export const givenFaults: readonly Fault[] = [
  {
    id: 'options-of-the-last-start-are-kept',
    breaks: ['options-are-recorded'],
    says: 'An execution without softTimeoutMins shows that of the last start of its workflow.',
    behaviour: keepingOptions,
  },
  {
    id: 'soft-timeout-is-not-kept',
    breaks: ['options-are-recorded'],
    says: 'An execution does not show its softTimeoutMins.',
    behaviour: softTimeout(() => undefined),
  },
  {
    id: 'soft-timeout-in-seconds',
    breaks: ['options-are-recorded'],
    says: 'softTimeoutMins of an execution counts seconds.',
    behaviour: softTimeout((minutes) => minutes * 60),
  },
  {
    id: 'inputs-become-texts',
    breaks: ['inputs-are-recorded'],
    says: 'The values of inputs are shown as texts.',
    behaviour: inputs((all) =>
      mapped(all, (name, value) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  },
  {
    id: 'inputs-come-back-bold',
    breaks: ['inputs-are-recorded'],
    says: 'The texts of inputs are shown between stars.',
    behaviour: inputs((all) =>
      mapped(all, (name, value) => [name, typeof value === 'string' && value !== '' ? `**${value}**` : value]),
    ),
  },
  {
    id: 'inputs-become-texts-in-the-queue',
    breaks: ['inputs-are-recorded'],
    says: 'The values of the inputs of what was queued are shown as texts.',
    behaviour: showing((one, { start }) =>
      start.queue && one.inputs ? { ...one, inputs: mapped(one.inputs, (name, value) => [name, String(value)]) } : one,
    ),
  },
  {
    id: 'inputs-lose-nulls',
    breaks: ['inputs-are-recorded'],
    says: 'null disappears from the lists in inputs.',
    behaviour: inputs((all) =>
      JSON.parse(
        JSON.stringify(all, (_, value) => (Array.isArray(value) ? value.filter((one) => one !== null) : value)),
      ),
    ),
  },
  ...(
    [
      [
        'fractions',
        'Numbers in inputs lose their fractions.',
        (value) => (typeof value === 'number' ? Math.trunc(value) : value),
      ],
      [
        'large-numbers',
        'Numbers in inputs are cut to 32 bits.',
        (value) => (Number.isInteger(value) ? Number(value) | 0 : value),
      ],
      [
        'accents',
        'Letters beyond ASCII are question marks in inputs.',
        (value) => (typeof value === 'string' ? value.replaceAll(/[^ -~]/g, '?') : value),
      ],
      ['what-is-false', 'What is false is left out of inputs.', (value) => (value === false ? undefined : value)],
      ['what-is-blank', 'Empty texts are left out of inputs.', (value) => (value === '' ? undefined : value)],
      [
        'what-is-empty',
        'Empty objects are left out of inputs.',
        (value) => (isFields(value) && Object.keys(value).length === 0 ? undefined : value),
      ],
    ] as const satisfies readonly [string, string, (value: unknown) => unknown][]
  ).map(
    ([what, says, change]): Fault => ({
      id: `inputs-lose-${what}`,
      breaks: what.startsWith('what-is') ? ['inputs-are-recorded', 'inputs-are-shown'] : ['inputs-are-recorded'],
      says,
      behaviour: inputs((all) =>
        JSON.parse(JSON.stringify(all, (name, value) => (name === '' ? value : change(value)))),
      ),
    }),
  ),
  {
    id: 'inputs-are-of-the-latest-start',
    breaks: ['inputs-are-recorded', 'executions-are-separate', 'inputs-are-shown'],
    says: 'Every execution shows the inputs of the one that was started last.',
    behaviour: (base) => {
      let latest: Execution['inputs'];
      return {
        readStart: (body) => {
          const start = base.readStart(body);
          latest = start.inputs ?? latest;
          return start;
        },
        presentExecution: (run) => ({ ...base.presentExecution(run), ...(latest && { inputs: latest }) }),
      };
    },
  },
  {
    id: 'inputs-are-not-kept',
    breaks: ['inputs-are-shown'],
    says: 'An execution does not show its inputs.',
    behaviour: showing((one) => without(one, 'inputs')),
  },
  {
    id: 'metadata-keys-are-trimmed',
    breaks: ['metadata-is-recorded'],
    says: 'Keys of metadata lose their spaces.',
    behaviour: metadata((all) => mapped(all, (name, value) => [name.replaceAll(' ', ''), value])),
  },
  {
    id: 'metadata-keys-lose-their-case',
    breaks: ['metadata-is-recorded'],
    says: 'Keys of metadata are shown in lower case.',
    behaviour: metadata((all) => mapped(all, (name, value) => [name.toLowerCase(), value])),
  },
  {
    id: 'metadata-is-ascii',
    breaks: ['metadata-is-recorded'],
    says: 'Letters beyond ASCII are question marks in metadata.',
    behaviour: metadata((all) => mapped(all, (name, value) => [name, String(value).replaceAll(/[^ -~]/g, '?')])),
  },
  {
    id: 'metadata-loses-what-is-blank',
    breaks: ['metadata-is-recorded'],
    says: 'Empty texts are left out of metadata.',
    behaviour: metadata((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))),
  },
  {
    id: 'metadata-keeps-three-pairs',
    breaks: ['metadata-is-recorded'],
    says: 'Of metadata the first three pairs are kept.',
    behaviour: metadata((all) => Object.fromEntries(Object.entries(all).slice(0, 3))),
  },
  {
    id: 'metadata-is-empty-at-the-end',
    breaks: ['metadata-is-recorded'],
    says: 'When an execution has ended its metadata are empty.',
    behaviour: showing((one) => (isTerminal(one.status) && one.metadata ? { ...one, metadata: {} } : one)),
  },
  {
    id: 'metadata-has-a-pair-of-the-service',
    breaks: ['metadata-is-recorded'],
    says: 'The service puts a pair of its own beside the metadata of a start.',
    behaviour: metadata((all) => ({ ...all, region: 'eu-west-1' })),
  },
  {
    id: 'metadata-where-none-was-attached',
    breaks: ['metadata-is-recorded'],
    says: 'An execution whose start attached no metadata shows a pair.',
    behaviour: showing((one) => (one.metadata ? one : { ...one, metadata: { team: 'none' } })),
  },
  {
    id: 'metadata-grows-after-the-end',
    breaks: ['metadata-is-recorded'],
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
  {
    id: 'metadata-is-of-the-first-start',
    breaks: ['metadata-is-recorded', 'executions-are-separate'],
    says: 'Every execution shows the metadata of the one that was started first.',
    behaviour: (base) => {
      let first: Execution['metadata'];
      return {
        readStart: (body) => {
          const start = base.readStart(body);
          first ??= start.metadata;
          return start;
        },
        presentExecution: (run) => ({ ...base.presentExecution(run), ...(first && { metadata: first }) }),
      };
    },
  },
  {
    id: 'metadata-is-shown-after-the-queue',
    breaks: ['metadata-is-shown'],
    says: 'An execution does not show its metadata while it is queued.',
    behaviour: showing((one) => (one.status === 'queued' ? without(one, 'metadata') : one)),
  },
  {
    id: 'metadata-is-not-kept',
    breaks: ['metadata-is-shown'],
    says: 'An execution does not show its metadata.',
    behaviour: showing((one) => without(one, 'metadata')),
  },
  {
    id: 'runs-with-a-copy-show-its-source',
    breaks: ['profile-is-recorded'],
    says: 'An execution that was started with a copy shows the profile that was copied.',
    behaviour: knowingSources((sources, base) => ({
      presentExecution: (run) => {
        const shown = base.presentExecution(run);
        const source = sources.get(shown.agentProfileId ?? '');
        return source === undefined ? shown : { ...shown, agentProfileId: source };
      },
    })),
  },
  {
    id: 'another-profile-is-shown',
    breaks: ['profile-is-recorded', 'used-profile-is-shown'],
    says: 'An execution that was given a profile shows another one.',
    behaviour: showing((one, { pool }) =>
      one.agentProfileId && !pool ? { ...one, agentProfileId: profileIds.otherProfile } : one,
    ),
  },
  {
    id: 'used-profiles-are-shown-by-id',
    breaks: ['used-profile-is-shown'],
    says: 'agentProfileName is the id of the profile.',
    behaviour: showing((one) => ({ ...one, ...(one.agentProfileId && { agentProfileName: one.agentProfileId }) })),
  },
  {
    id: 'profile-is-not-shown',
    breaks: ['used-profile-is-shown'],
    says: 'An execution that was given a profile does not show it.',
    behaviour: showing((one, { pool }) => (pool ? one : without(one, 'agentProfileId'))),
  },
  {
    id: 'selected-profile-is-not-shown',
    breaks: ['group-profile-is-recorded'],
    says: 'An execution that was given a group does not show which profile it got.',
    behaviour: showing((one, { pool }) => (pool ? without(one, 'agentProfileId') : one)),
  },
  ...(['liveViewUrl', 'recordingUrl'] as const).map(
    (field): Fault => ({
      id: field === 'liveViewUrl' ? 'live-views-are-one' : 'recordings-are-one',
      breaks: ['urls-are-separate'],
      says: `Every execution has the same ${field}.`,
      behaviour: showing((one) => {
        const old = field === 'liveViewUrl' ? 'browserLiveViewUrl' : 'browserRecordingUrl';
        const url = 'https://views.example.com/newest';
        return one[field] ? { ...one, [field]: url, [old]: url } : one;
      }),
    }),
  ),
  {
    id: 'inputs-stay-for-the-next-start',
    breaks: ['executions-are-separate'],
    says: 'An execution has the inputs of the one before it as well, where it was not given others.',
    behaviour: (base) => {
      let before: Execution['inputs'];
      return {
        readStart: (body) => {
          const start = base.readStart(body);
          const inputs = start.inputs && { ...before, ...start.inputs };
          before = start.inputs ?? before;
          return { ...start, inputs };
        },
      };
    },
  },
  {
    id: 'inputs-of-refused-starts-stay',
    breaks: ['executions-are-separate'],
    says: 'An execution has the inputs of a start before it that was refused.',
    behaviour: (base) => {
      let refused: Fields | undefined;
      return {
        violations: (operation, body) => {
          const found = base.violations(operation, body);
          if (found.length > 0 && isFields(body) && isFields(body.inputs)) refused = body.inputs;
          return found;
        },
        readStart: (body) => {
          const start = base.readStart(body);
          return start.inputs ? { ...start, inputs: { ...refused, ...start.inputs } } : start;
        },
      };
    },
  },
  {
    id: 'results-share-an-id',
    breaks: ['executions-are-separate'],
    says: 'All results of a workflow have the same id.',
    behaviour: (base) => ({
      resultOf: (run, _id, now) => base.resultOf(run, run.workflow.id, now),
    }),
  },
  {
    id: 'what-is-waited-for-leaves-no-result',
    breaks: ['ends-are-recorded-alike'],
    says: 'A synchronous start is answered without a result, and none is recorded.',
    behaviour: (base) => {
      const waitedFor = new Set<string>();
      return {
        presentSync: ({ result: _, ...run }) => {
          waitedFor.add(run.id);
          return base.presentSync(run);
        },
        presentExecution: ({ result, ...run }) =>
          base.presentExecution({ ...run, ...(result && !waitedFor.has(run.id) && { result }) }),
      };
    },
  },
  {
    id: 'failed-runs-have-no-terminal-at',
    breaks: ['ends-are-recorded-alike'],
    says: 'An execution that failed does not say when.',
    behaviour: showing((one) => (one.status === 'failed' ? without(one, 'terminalAt') : one)),
  },
  {
    id: 'queued-starts-have-no-trigger',
    breaks: ['ends-are-recorded-alike'],
    says: 'An execution whose start asked to be queued does not tell its trigger.',
    behaviour: showing((one, { start }) => (start.queue ? without(one, 'triggerContext') : one)),
  },
];
