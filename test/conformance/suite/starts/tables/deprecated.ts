import type { RuleId } from '../../../../../generated/rules.js';
import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, group, reading, recorded, start, sync } from '../../../../support/runs.js';

const profile = { agentProfileId: ids.profile };
const pool = { agentProfilePoolId: group };
const data = { dynamicData: { customer: 'acme', nested: [1, { two: 2 }] } };
const inputs = { inputs: data.dynamicData };

/** Another execution, started with the field of today. */
const peer = (sent: object, shown: object, operation: 'execute' | 'executeSync' = 'execute'): Sketch[] => [
  start(sent, { operation, body: { executionId: another.execution, status: 'starting' } }),
  reading('completed', { id: another.execution, ...shown }, { resource: another.execution }),
];
const refused = (sent: object, status = 400, more: Partial<Sketch> = {}): Sketch =>
  start(sent, { status, body: { code: status, message: 'No.' }, ...more });

const rule = 'deprecated-fields-still-work';
const inFull = { capacity: { profileGroup: group, size: 1, workflow: ids.workflow } };
/** A start of the full group by its old name. */
const old = (status: number): Sketch => ({
  ...start(pool, { status, at: 2000, body: { executionId: another.execution, status: 'starting' } }),
  mark: { probe: { rule, fault: 'a full group', controls: [] } },
});
const exclusive = (of: RuleId, one: Sketch): Sketch => ({
  ...one,
  mark: { probe: { rule: of, fault: 'both', controls: [] } },
});
/** Beside one of its new name that is refused, while another holds its profile. */
const full = (one: Sketch): Sketch[] => [
  start({ profileGroupId: group }, { at: 1000 }),
  refused({ profileGroupId: group }, 429, { at: 1900, mark: { probe: { rule, fault: 'a full group', controls: [] } } }),
  one,
  reading('running', {}, { at: 3000 }),
];

export const deprecated = {
  'deprecated-fields-still-work': {
    'satisfied, satisfied: two at once, synchronously': [
      sync(200, {}, { ...profile, ...data }),
      reading('completed', { ...profile, ...inputs }),
    ],
    'violated: another profile': {
      given: [start(profile), reading('completed', { agentProfileId: another.profile })],
      says: ['agentProfileId to do what profileId does', another.profile],
    },
    'violated: no profile of the group, although others name one': [
      start(pool),
      reading('completed'),
      ...peer({ profileGroupId: group }, profile),
    ],
    'ignored: no profile of the group yet, although others name one late': [
      start(pool),
      reading('completed'),
      ...peer({ profileGroupId: group }, {}),
      reading('completed', { id: another.execution, ...profile }, { resource: another.execution }),
    ],
    'violated: refused, although its successor is accepted': {
      given: [refused({ ...profile, ...data }), ...peer({ profileId: ids.profile, ...inputs }, {})],
      says: ['agentProfileId and dynamicData taken', '400 with'],
    },
    'violated: a group beside a profile under its old name, which is refused under its present names': {
      given: [
        exclusive('profile-excludes-group', refused({ profileId: ids.profile, profileGroupId: group })),
        exclusive(rule, start({ ...profile, profileGroupId: group })),
      ],
      says: 'a refusal of both',
    },
    'ignored: a group beside a profile, accepted under any name': [
      exclusive('profile-excludes-group', start({ profileId: ids.profile, profileGroupId: group })),
      exclusive(rule, start({ ...profile, profileGroupId: group })),
    ],
    'inconclusive: refused, beside a field that no start with its successor had': [
      refused({ ...data, onCapacityLimit: 'queue' }),
      ...peer(inputs, {}),
    ],
    'ignored: an answer of a gateway': [
      start(data, {
        status: 504,
        rawBody: { kind: 'not-json', text: '<html>', error: 'It is a page.', bytes: 6 },
      }),
      ...peer(inputs, {}),
    ],
    'inconclusive: refused, with only one of its successors': [refused({ ...profile, ...data }), ...peer(inputs, {})],
    'ignored: missing in a recording': [recorded(start(data)), recorded(reading('completed')), ...peer(inputs, inputs)],
    'violated: other inputs, in a recording': [recorded(start(data)), recorded(reading('completed', { inputs: {} }))],
    'ignored: other inputs, like those of some others': [
      start(data),
      reading('completed', { inputs: {} }),
      ...peer(inputs, inputs),
      sync(200, { executionId: ids.pool }, inputs),
      reading('completed', { id: ids.pool, inputs: {} }, { resource: ids.pool }),
    ],
    'violated: a profile of the full group, although its successor gets none': {
      given: full(old(202)),
      facts: inFull,
      says: 'a refusal, as of profileGroupId',
    },
    'ignored: refused for the full group, like its successor': { given: full(old(429)), facts: inFull },
    'inconclusive: refused, although its successor is accepted synchronously': [
      refused(data),
      ...peer(inputs, inputs, 'executeSync'),
    ],
    'inconclusive: refused, although its successor is accepted for another workflow': [
      refused(data),
      start(inputs, { resource: another.workflow }),
    ],
  },
} satisfies Tables;
