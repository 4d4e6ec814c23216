/** Faults of what is recorded that show in one circumstance alone: for the second of a kind, beside something else, at a size. */

import type { Fault, Hooks } from '../../hooks.js';
import { copyOf, type Execution, type Fields, fieldsOf } from '../../state.js';
import { cutAt, faultsOf, hook, implied, mapFields, mapLeaves, mapTexts, recorded, shows } from '../make.js';

const swapped = (field: 'inputs' | 'metadata'): Partial<Hooks> => {
  let waiting: Execution | undefined;
  return hook('starts', (e, c) => {
    if (e[field] === undefined) return;
    if (waiting?.createdAt !== undefined && c.now - waiting.createdAt < 30) {
      [e[field], waiting[field]] = [fieldsOf(waiting[field]), fieldsOf(e[field])];
      waiting = undefined;
    } else waiting = e;
  });
};
export const seldomRecords: readonly Fault[] = [
  ...faultsOf({
    // inputs: Input variables used.
    'inputs-swapped-of-two-at-once': () => swapped('inputs'),
    // metadata: String-to-string pairs attached at start.
    'metadata-swapped-of-two-at-once': () => swapped('metadata'),
    // inputs: Input variables used.
    'inputs-of-the-next-in-the-queue': hook('shows', (v, e, c) => {
      const next = c.state.queue.at(-1);
      if (e.waited && next && next !== e && next.inputs) v.inputs = copyOf(next.inputs);
    }),
    'inputs-gone-on-the-third-reading': implied(shows((v, e) => e.reads === 3 && delete v.inputs)),
    // metadata: String-to-string pairs attached at start.
    'metadata-gone-on-the-second-reading': implied(shows((v, e) => e.reads === 2 && delete v.metadata)),
    // inputs: Input variables used.
    'inputs-lists-cut-at-100': recorded('inputs', (f) => mapFields(f, (v) => (Array.isArray(v) ? v.slice(0, 100) : v))),
    'inputs-lists-cut-at-256': recorded('inputs', (f) => mapFields(f, (v) => (Array.isArray(v) ? v.slice(0, 256) : v))),
    'inputs-cut-at-16384': recorded('inputs', (f) => fieldsOf(mapTexts(f, cutAt(16_384)))),
    'inputs-huge-numbers-as-texts': recorded('inputs', (f) =>
      fieldsOf(mapLeaves(f, (v) => (typeof v === 'number' && Math.abs(v) > Number.MAX_SAFE_INTEGER ? String(v) : v))),
    ),
    'inputs-tiny-numbers-become-zero': recorded('inputs', (f) =>
      fieldsOf(mapLeaves(f, (v) => (typeof v === 'number' && Math.abs(v) < 1e-6 ? 0 : v))),
    ),
    'inputs-numbers-of-15-digits': recorded('inputs', (f) =>
      fieldsOf(mapLeaves(f, (v) => (typeof v === 'number' ? Number(v.toPrecision(15)) : v))),
    ),
    // metadata: String-to-string pairs attached at start.
    'metadata-cut-at-1024': recorded('metadata', (f) => mapFields(f, (v) => String(v).slice(0, 1024))),
    'metadata-dates-normalised': recorded('metadata', (f) =>
      mapFields(f, (v) => (/^\d{4}-\d\d-\d\dT/.test(String(v)) ? new Date(String(v)).toISOString() : v)),
    ),
    'metadata-decoded': recorded('metadata', (f) => mapFields(f, (v) => String(v).replaceAll('+', ' '))),
    'metadata-quotes-lost': recorded('metadata', (f) => mapFields(f, (v) => String(v).replaceAll('"', ''))),
    'metadata-null-words-dropped': implied(
      recorded('metadata', (f) =>
        mapFields(f, (v) => (['null', 'undefined', 'None'].includes(String(v)) ? undefined : v)),
      ),
    ),
    'metadata-at-most-50': implied(recorded('metadata', (f) => Object.fromEntries(Object.entries(f).slice(0, 50)))),
    // True when rerun at least once.
    'rerun-when-its-workflow-runs-again': {
      shows: (v, e, c) =>
        (v.hasBeenRerun = [...c.state.executions.values()].some(
          (one) => one.workflow === e.workflow && one.createdAt > e.createdAt,
        )),
    },
    // parentExecutionId: Execution this one was rerun from.
    'parent-for-equal-starts': hook('shows', (v, e, c) => {
      const control = [...c.state.executions.values()].find(
        (one) => one.order < e.order && JSON.stringify(one.asked) === JSON.stringify(e.asked),
      );
      if (control) v.parentExecutionId = control.id;
    }),
    // agentProfileId: Profile used, if any.
    'profile-of-another-run': hook('shows', (v, e, c) => {
      const other = [...c.state.executions.values()].find(
        (one) => one !== e && one.status === 'running' && one.profileId !== undefined,
      );
      if (e.profileId !== undefined && e.groupId === undefined && other) v.agentProfileId = other.profileId;
    }),
    // One run is an execution.
    'result-of-the-run-before': () => {
      let last: Fields | undefined;
      return shows((v, e) => {
        if (!v.executionResult) return;
        const own = { ...fieldsOf(v.executionResult), executionId: e.id };
        if (last) v.executionResult = { ...last, executionId: e.id };
        last = own;
      });
    },
    // executionOptions: softTimeoutMins.
    'soft-timeout-of-the-start-before': () => {
      let last: Fields | undefined;
      return hook('starts', (e) => {
        const own = e.options;
        if (own && last) e.options = last;
        if (own) last = own;
      });
    },
  }),
];
