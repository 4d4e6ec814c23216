/** How observations of gaps about states are compared with earlier ones, and merged. */
import { executionStatuses, isTerminal } from '../../../generated/lifecycle.js';
import type { GapId } from '../../../generated/rules.js';
import { union } from '../../engine/recording/merge.js';
import { isStop } from './view.js';

/** Stands for any state: which one was seen before or after depends on when the suite polled. */
const some = '…';

/** States that an execution stays in until it is read: an end, or a stop. */
const lasting = (state: string): boolean =>
  executionStatuses.some((one) => one === state && (isTerminal(one) || isStop(one)));

/** The part of the observations that does not depend on when the suite polled. For other gaps, all of them. */
export const certainPart: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] } = {
  // Any state may have been missed between two readings.
  'state-after-queued': () => [],
  'other-transitions': (values) => {
    const sure = values.flatMap((value) => {
      const [from = '', to = ''] = value.split(' → ');
      return [...(lasting(from) ? [`${from} → ${some}`] : []), ...(lasting(to) ? [`${some} → ${to}`] : [])];
    });
    return [...new Set(sure)];
  },
  'status-read-while-queued': (values) => values.filter((value) => value === 'queued'),
};

/** The fields that all observations (`what: field, field`) share. */
function common(values: readonly string[]): readonly string[] {
  const found = new Map<string, string[]>();
  for (const value of values) {
    const [what = '', list = ''] = value.split(': ');
    const fields = list === 'none' ? [] : list.split(', ');
    found.set(what, found.get(what)?.filter((field) => fields.includes(field)) ?? fields);
  }
  return [...found].map(([what, fields]) => `${what}: ${fields.join(', ') || 'none'}`).sort();
}

/** How the observations of parts are merged. For gaps not listed here, the union is taken. */
export const mergeObservations: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] } = {
  // One shows that the status can be read. Others may have left the queue by then.
  'status-read-while-queued': (values) => (values.includes('queued') ? ['queued'] : union(values)),
  'unstated-required-fields': common,
};
