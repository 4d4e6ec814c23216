/** Faults of what is recorded that show in one circumstance alone: for the second of a kind, beside something else, at a size. */

import type { Fault, Hooks } from '../../hooks.js';
import { copyOf, type Execution, type Fields, fieldsOf } from '../../state.js';
import { cutAt, mapFields, mapLeaves, mapTexts, must, recorded, should } from '../make.js';
import { shows } from './make.js';

const used = 'inputs: Input variables used.';
const attached = 'metadata: String-to-string pairs attached at start.';
const swapped = (field: 'inputs' | 'metadata'): Partial<Hooks> => {
  let waiting: Execution | undefined;
  return {
    starts: (e, c) => {
      if (e[field] === undefined) return;
      if (waiting?.createdAt !== undefined && c.now - waiting.createdAt < 30) {
        [e[field], waiting[field]] = [fieldsOf(waiting[field]), fieldsOf(e[field])];
        waiting = undefined;
      } else waiting = e;
    },
  };
};
export const seldomRecords: readonly Fault[] = [
  must('inputs-swapped-of-two-at-once', used, () => swapped('inputs')),
  must('metadata-swapped-of-two-at-once', attached, () => swapped('metadata')),
  must('inputs-of-the-next-in-the-queue', used, {
    shows: (v, e, c) => {
      const next = c.state.queue.at(-1);
      if (e.waited && next && next !== e && next.inputs) v.inputs = copyOf(next.inputs);
    },
  }),
  should(
    'inputs-gone-on-the-third-reading',
    used,
    shows((v, e) => void (e.reads === 3 && delete v.inputs)),
  ),
  should(
    'metadata-gone-on-the-second-reading',
    attached,
    shows((v, e) => void (e.reads === 2 && delete v.metadata)),
  ),
  must(
    'inputs-lists-cut-at-100',
    used,
    recorded('inputs', (f) => mapFields(f, (v) => (Array.isArray(v) ? v.slice(0, 100) : v))),
  ),
  must(
    'inputs-lists-cut-at-256',
    used,
    recorded('inputs', (f) => mapFields(f, (v) => (Array.isArray(v) ? v.slice(0, 256) : v))),
  ),
  must(
    'inputs-cut-at-16384',
    used,
    recorded('inputs', (f) => fieldsOf(mapTexts(f, cutAt(16_384)))),
  ),
  must(
    'inputs-huge-numbers-as-texts',
    used,
    recorded('inputs', (f) =>
      fieldsOf(mapLeaves(f, (v) => (typeof v === 'number' && Math.abs(v) > Number.MAX_SAFE_INTEGER ? String(v) : v))),
    ),
  ),
  must(
    'inputs-tiny-numbers-become-zero',
    used,
    recorded('inputs', (f) => fieldsOf(mapLeaves(f, (v) => (typeof v === 'number' && Math.abs(v) < 1e-6 ? 0 : v)))),
  ),
  must(
    'inputs-numbers-of-15-digits',
    used,
    recorded('inputs', (f) => fieldsOf(mapLeaves(f, (v) => (typeof v === 'number' ? Number(v.toPrecision(15)) : v)))),
  ),
  must(
    'metadata-cut-at-1024',
    attached,
    recorded('metadata', (f) => mapFields(f, (v) => String(v).slice(0, 1024))),
  ),
  must(
    'metadata-dates-normalised',
    attached,
    recorded('metadata', (f) =>
      mapFields(f, (v) => (/^\d{4}-\d\d-\d\dT/.test(String(v)) ? new Date(String(v)).toISOString() : v)),
    ),
  ),
  must(
    'metadata-decoded',
    attached,
    recorded('metadata', (f) => mapFields(f, (v) => String(v).replaceAll('+', ' '))),
  ),
  must(
    'metadata-quotes-lost',
    attached,
    recorded('metadata', (f) => mapFields(f, (v) => String(v).replaceAll('"', ''))),
  ),
  should(
    'metadata-null-words-dropped',
    attached,
    recorded('metadata', (f) =>
      mapFields(f, (v) => (['null', 'undefined', 'None'].includes(String(v)) ? undefined : v)),
    ),
  ),
  should(
    'metadata-at-most-50',
    attached,
    recorded('metadata', (f) => Object.fromEntries(Object.entries(f).slice(0, 50))),
  ),
  must('rerun-when-its-workflow-runs-again', 'True when rerun at least once.', {
    shows: (v, e, c) =>
      void (v.hasBeenRerun = [...c.state.executions.values()].some(
        (one) => one.workflow === e.workflow && one.createdAt > e.createdAt,
      )),
  }),
  must('parent-for-equal-starts', 'parentExecutionId: Execution this one was rerun from.', {
    shows: (v, e, c) => {
      const twin = [...c.state.executions.values()].find(
        (one) => one.order < e.order && JSON.stringify(one.asked) === JSON.stringify(e.asked),
      );
      if (twin) v.parentExecutionId = twin.id;
    },
  }),
  must('profile-of-another-run', 'agentProfileId: Profile used, if any.', {
    shows: (v, e, c) => {
      const other = [...c.state.executions.values()].find(
        (one) => one !== e && one.status === 'running' && one.profileId !== undefined,
      );
      if (e.profileId !== undefined && e.groupId === undefined && other) v.agentProfileId = other.profileId;
    },
  }),
  must('result-of-the-run-before', 'One run is an execution.', () => {
    let last: Fields | undefined;
    return shows((v, e) => {
      if (!v.executionResult) return;
      const own = { ...fieldsOf(v.executionResult), executionId: e.id };
      if (last) v.executionResult = { ...last, executionId: e.id };
      last = own;
    });
  }),
  must('soft-timeout-of-the-start-before', 'executionOptions: softTimeoutMins.', () => {
    let last: Fields | undefined;
    return {
      starts: (e) => {
        const own = e.options;
        if (own && last) e.options = last;
        if (own) last = own;
      },
    };
  }),
];
