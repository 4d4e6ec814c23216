/** How observations of gaps about states are held against earlier ones, and added up. */
import { executionStatuses, isTerminal } from '../../../generated/lifecycle.js';
import type { GapId } from '../../../generated/rules.js';
import { union } from '../../engine/recording/merge.js';
import { isStop } from './view.js';

/** Any state: which one was seen before or after depends on when polling looked. */
const some = '…';

/** States that an execution stays in until it is looked at: an end, or a stop. */
const lasting = (state: string): boolean =>
  executionStatuses.some((one) => one === state && (isTerminal(one) || isStop(one)));

/** What of the observations does not depend on when polling looked, where that is not all. */
export const surely: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] } = {
  // Whatever lies between two readings may have been passed.
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

/** `what: field, field`: the fields that all of them have. */
function common(values: readonly string[]): readonly string[] {
  const found = new Map<string, string[]>();
  for (const value of values) {
    const [what = '', list = ''] = value.split(': ');
    const fields = list === 'none' ? [] : list.split(', ');
    found.set(what, found.get(what)?.filter((field) => fields.includes(field)) ?? fields);
  }
  return [...found].map(([what, fields]) => `${what}: ${fields.join(', ') || 'none'}`).sort();
}

/** How observations of parts add up to that of the whole, where it is not all of them. */
export const adding: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] } = {
  // Where one execution shows it, another that does not had left the queue.
  'status-read-while-queued': (values) => (values.includes('queued') ? ['queued'] : union(values)),
  'unstated-required-fields': common,
};
