import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, reading, recorded, start } from '../../../../support/runs.js';

const mine = { inputs: { who: 'mine' }, metadata: { who: 'mine' } };
const many = { inputs: { who: 'mine', place: 'here', time: 'now' } };
const theirs = { inputs: { who: 'theirs' }, metadata: { who: 'theirs' } };

/** Two executions that run from one second to the next unless told otherwise. */
const first = (shown: object, sent: object = mine, at = 0): Sketch[] => [
  start(sent, { at }),
  reading('completed', shown, { at: at + 1000 }),
];
const second = (shown: object, sent: object = theirs, at = 100): Sketch[] => [
  start(sent, { at, body: { executionId: another.execution, status: 'starting' } }),
  reading('completed', { id: another.execution, ...shown }, { at: at + 1000, resource: another.execution }),
];
const result = (id: string) => ({ executionResult: { id, executionId: ids.execution } });

const url = (field: string, of: string) => ({ [field]: `https://example.com/view?of=${of}` });

export const separate = {
  'urls-are-separate': {
    'satisfied, violated: one recording of both': {
      given: [...first(url('recordingUrl', 'all')), ...second(url('recordingUrl', 'all'))],
      says: 'a recordingUrl of its own',
    },
    'ignored: the same, although the first is read once more when both have ended': [
      ...first(url('liveViewUrl', 'all')),
      ...second(url('liveViewUrl', 'all'), theirs, 2000),
      reading('completed', url('liveViewUrl', 'all'), { at: 9000 }),
    ],
    'ignored: a recording': [...first(url('liveViewUrl', 'all')), ...second(url('liveViewUrl', 'all'))].map(recorded),
  },
  'executions-are-separate': {
    'satisfied, satisfied: results of their own': [
      ...first({ ...mine, ...result(ids.pool) }),
      ...second({ ...theirs, ...result(ids.profile) }),
    ],
    'satisfied, violated: the other’s inputs': {
      given: [...first(mine), ...second({ ...theirs, inputs: mine.inputs })],
      says: ['inputs.who of its own, "theirs"', 'another\'s: "mine"'],
    },
    'violated: one result for two': {
      given: [...first({ ...mine, ...result(ids.pool) }), ...second({ ...theirs, ...result(ids.pool) })],
      says: 'a result of its own',
    },
    'violated: pairs from the request of another one before it': {
      given: [...first(many, many), ...second({ inputs: { ...many.inputs, who: 'theirs' } }, theirs, 2000)],
      says: ['no inputs.place, which it was not given', '"here", as one before it was given'],
    },
    'violated: pairs from a refused start before it': {
      given: [
        start(many, { at: 0, status: 400, body: { code: 400, message: 'No.' } }),
        ...second({ inputs: { ...many.inputs, who: 'theirs' } }, theirs, 2000),
      ],
      says: 'no inputs.place, which it was not given',
    },
    'ignored: pairs from a later request': [...first({ ...mine, inputs: many.inputs }), ...second(many, many, 2000)],
    'ignored: the same inputs in both': [...first(mine), ...second(mine, mine)],
  },
} satisfies Tables;
