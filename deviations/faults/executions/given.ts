/** Faults in how an execution shows what its start gave. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Execution } from '../../../generated/types.js';
import { profileIds } from '../../../reference/fixtures.js';
import { type Fields, giving, isFields, knowingSources, showing, without } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

const mapped = (fields: Fields | undefined, change: (name: string, value: unknown) => [string, unknown]) =>
  fields && Object.fromEntries(Object.entries(fields).map(([name, value]) => change(name, value)));

const inputs = (change: (inputs: Fields) => unknown) =>
  showing((one) => (one.inputs ? { ...one, inputs: change(one.inputs) } : one));

const inputValues = (change: (value: unknown) => unknown) =>
  inputs((all) => JSON.parse(JSON.stringify(all, (name, value) => (name === '' ? value : change(value)))));

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

/** Shows the same URL for all executions, also under its old name. */
const oneUrl = (field: 'liveViewUrl' | 'recordingUrl', old: string) =>
  showing((one) => {
    const url = 'https://views.example.com/newest';
    return one[field] ? { ...one, [field]: url, [old]: url } : one;
  });

export const givenFaults: readonly Fault[] = [
  ...breaking('options-are-recorded', {
    'options-of-the-last-start-are-kept': (base) => {
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
    },
    'soft-timeout-is-not-kept': softTimeout(() => undefined),
    'soft-timeout-in-seconds': softTimeout((minutes) => minutes * 60),
  }),
  ...breaking('inputs-are-recorded', {
    'inputs-come-back-bold': inputs((all) =>
      mapped(all, (name, value) => [name, typeof value === 'string' && value !== '' ? `**${value}**` : value]),
    ),
    'inputs-become-texts-in-the-queue': showing((one, { start }) =>
      start.queue && one.inputs ? { ...one, inputs: mapped(one.inputs, (name, value) => [name, String(value)]) } : one,
    ),
    'inputs-lose-nulls': inputValues((value) => (Array.isArray(value) ? value.filter((one) => one !== null) : value)),
    'inputs-are-of-the-latest-start': [
      (base) => {
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
      'executions-are-separate',
      'inputs-are-shown',
    ],
    'inputs-lose-fractions': inputValues((value) => (typeof value === 'number' ? Math.trunc(value) : value)),
    'inputs-lose-large-numbers': inputValues((value) => (Number.isInteger(value) ? Number(value) | 0 : value)),
    'inputs-lose-accents': inputValues((value) =>
      typeof value === 'string' ? value.replaceAll(/[^ -~]/g, '?') : value,
    ),
    'inputs-lose-typographic-quotes': inputValues((value) =>
      typeof value === 'string' ? value.replaceAll(/[“”‘’–]/g, '-') : value,
    ),
    'inputs-lose-what-is-false': [inputValues((value) => (value === false ? undefined : value)), 'inputs-are-shown'],
    'inputs-lose-what-is-blank': [inputValues((value) => (value === '' ? undefined : value)), 'inputs-are-shown'],
    'inputs-lose-what-is-empty': [
      inputValues((value) => (isFields(value) && Object.keys(value).length === 0 ? undefined : value)),
      'inputs-are-shown',
    ],
  }),
  ...breaking('inputs-are-shown', {
    'inputs-are-not-kept': showing((one) => without(one, 'inputs')),
  }),
  ...breaking('metadata-is-recorded', {
    'metadata-keys-are-trimmed': metadata((all) => mapped(all, (name, value) => [name.replaceAll(' ', ''), value])),
    'metadata-keys-lose-their-case': metadata((all) => mapped(all, (name, value) => [name.toLowerCase(), value])),
    'metadata-is-ascii': metadata((all) =>
      mapped(all, (name, value) => [name, String(value).replaceAll(/[^ -~]/g, '?')]),
    ),
    'metadata-loses-what-is-blank': metadata((all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    ),
    'metadata-keeps-three-pairs': metadata((all) => Object.fromEntries(Object.entries(all).slice(0, 3))),
    'metadata-is-empty-at-the-end': showing((one) =>
      isTerminal(one.status) && one.metadata ? { ...one, metadata: {} } : one,
    ),
    'metadata-has-a-pair-of-the-service': metadata((all) => ({ ...all, region: 'eu-west-1' })),
    'metadata-where-none-was-attached': showing((one) => (one.metadata ? one : { ...one, metadata: { team: 'none' } })),
    'metadata-grows-after-the-end': (base) => {
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
  }),
  ...breaking('metadata-is-shown', {
    'metadata-is-shown-after-the-queue': showing((one) => (one.status === 'queued' ? without(one, 'metadata') : one)),
    'metadata-is-not-kept': showing((one) => without(one, 'metadata')),
  }),
  ...breaking('profile-is-recorded', {
    'runs-with-a-copy-show-its-source': knowingSources((sources, base) => ({
      presentExecution: (run) => {
        const shown = base.presentExecution(run);
        const source = sources.get(shown.agentProfileId ?? '');
        return source === undefined ? shown : { ...shown, agentProfileId: source };
      },
    })),
    'another-profile-is-shown': showing((one, { pool }) =>
      one.agentProfileId && !pool ? { ...one, agentProfileId: profileIds.otherProfile } : one,
    ),
  }),
  ...breaking('used-profile-is-shown', {
    'used-profiles-are-shown-by-id': showing((one) => ({
      ...one,
      ...(one.agentProfileId && { agentProfileName: one.agentProfileId }),
    })),
    'profile-is-not-shown': showing((one, { pool }) => (pool ? one : without(one, 'agentProfileId'))),
  }),
  ...breaking('group-profile-is-recorded', {
    'selected-profile-is-not-shown': showing((one, { pool }) => (pool ? without(one, 'agentProfileId') : one)),
  }),
  ...breaking('urls-are-separate', {
    'live-views-are-one': oneUrl('liveViewUrl', 'browserLiveViewUrl'),
    'recordings-are-one': oneUrl('recordingUrl', 'browserRecordingUrl'),
  }),
  ...breaking('executions-are-separate', {
    'inputs-stay-for-the-next-start': (base) => {
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
    'inputs-of-refused-starts-stay': (base) => {
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
    'results-share-an-id': giving('resultOf', (_id, run) => run.workflow.id),
  }),
  ...breaking('ends-are-recorded-alike', {
    'what-is-waited-for-leaves-no-result': (base) => {
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
    'failed-runs-have-no-terminal-at': showing((one) => (one.status === 'failed' ? without(one, 'terminalAt') : one)),
    'queued-starts-have-no-trigger': showing((one, { start }) => (start.queue ? without(one, 'triggerContext') : one)),
  }),
];
