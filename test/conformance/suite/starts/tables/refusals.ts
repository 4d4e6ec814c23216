import { ofFlags } from '../../../../../deviations/flags.js';
import { words } from '../../../../../generated/flags.js';
import type { OperationId } from '../../../../../generated/operations.js';
import type { RuleId } from '../../../../../generated/rules.js';
import { exchange, ids, type Sketch } from '../../../../support/evidence.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
import { update as answered } from '../../../../support/profiles.js';
import { another } from '../../../../support/runs.js';
import { control, probe, refused, standardError, started, step, taken } from '../../../../support/sketches.js';

const oneMinute = { sent: { executionOptions: { softTimeoutMins: 1 } } };
const hour = { facts: { agentHardTimeoutMins: 60 } };

/** What every rule of one fault has in common: a refusal counts beside the same request, accepted. */
export const refusalRows = (rule: RuleId, operation: OperationId = 'execute'): Table => {
  const answer = (status: number): Sketch => ({ operation, status, body: status < 400 ? started : standardError });
  const fault = (status: number) => probe(rule, answer(status));
  return {
    'satisfied: a refusal with any status': [control(answer(202)), fault(403)],
    'violated: an acceptance': {
      given: [control(answer(202)), fault(202)],
      says: ['a refusal of a fault', '202 with'],
    },
    'inconclusive: a gateway’s answer': { given: [control(answer(202)), fault(504)], says: '504' },
    'ignored: requests without a fault': [control(answer(202))],
  };
};

const accepted = (sent: unknown, more: Partial<Sketch> = {}): Sketch => ({ ...taken, sent, ...more });
const recorded = (sent: unknown): Sketch => accepted(sent);

const onSync = (sent: unknown): Sketch => ({ operation: 'executeSync', status: 200, body: started, sent });
const update = (sent: unknown): Sketch => ({ operation: 'updateProfile', status: 200, body: {}, sent });

const malformedJson = (status: number) => {
  const one = exchange({ operation: 'execute', status, body: started });
  return {
    ...one,
    request: { ...one.request, body: { kind: 'not-json', text: '{', error: 'no JSON', bytes: 1 } as const },
  };
};

const variantMode = { facts: { workflows: { variantMode: ids.workflow } } };
const plainMode = { facts: { workflows: { completes: ids.workflow } } };

const theirs = { id: another.profile };
const named = (name: string, at: number, more: { id?: string; organizationId?: string } = {}): Sketch =>
  answered({}, { name, ...more }, { at, ...(more.id !== undefined && { resource: more.id }) });

/** The name is asked for that another profile has, and is given. */
const taking = (name: string, at: number): Sketch =>
  probe('profile-name-is-unique', { operation: 'updateProfile', status: 200, sent: { name }, body: { name }, at });

export const refusals = {
  'head-excludes-version': {
    ...refusalRows('head-excludes-version'),
    'violated: recorded: accepted': {
      given: [recorded({ head: true, version: 3 })],
      says: 'head together with version',
    },
    'ignored: recorded: not the head': [recorded({ head: false, version: 3 })],
  },
  'profile-excludes-group': {
    ...refusalRows('profile-excludes-group'),
    'violated: recorded: accepted': [{ ...onSync({ profileId: ids.profile, profileGroupId: ids.pool }) }],
    'ignored: recorded: one of them': [recorded({ profileGroupId: ids.pool })],
  },
  'variant-key-is-required': {
    ...refusalRows('variant-key-is-required'),
    'violated: recorded: accepted without': { given: [recorded({})], ...variantMode },
    'ignored: recorded: with one': { given: [recorded({ executionOptions: { variantKey: 'a' } })], ...variantMode },
  },
  'variant-key-needs-variant-mode': {
    ...refusalRows('variant-key-needs-variant-mode'),
    'violated: recorded: accepted with one': {
      given: [recorded({ executionOptions: { variantKey: 'a' } })],
      ...plainMode,
    },
    'ignored: recorded: a workflow that is not declared': [recorded({ executionOptions: { variantKey: 'a' } })],
    'ignored: recorded: without one': { given: [recorded({})], ...plainMode },
  },
  'soft-timeout-minimum': {
    ...refusalRows('soft-timeout-minimum'),
    'violated: recorded: 0 accepted': {
      given: [recorded({ executionOptions: { softTimeoutMins: 0 } })],
      says: 'softTimeoutMins 0',
    },
    'satisfied: 1, accepted': { given: [step('one', { ...taken, ...oneMinute })], ...hour },
    'violated: 1, refused although a start without it is accepted': {
      given: [step('one', { ...refused, ...oneMinute }), step('none', { ...taken, sent: {} })],
      ...hour,
      says: 'softTimeoutMins 1 to be taken',
    },
    'ignored: 1, refused while the hard timeout may be as short': [
      step('one', { ...refused, ...oneMinute }),
      step('none', { ...taken, sent: {} }),
    ],
    'inconclusive: 1, refused like any start': { given: [step('one', { ...refused, ...oneMinute })], ...hour },
  },
  'sync-timeout-is-integer': {
    ...refusalRows('sync-timeout-is-integer', 'executeSync'),
    'violated: recorded: a text accepted': { given: [onSync({ timeoutSeconds: '10' })], says: 'timeoutSeconds "10"' },
    'ignored: recorded: the operation that does not wait': [recorded({ timeoutSeconds: 'x' })],
  },
  'temp-files-must-exist': refusalRows('temp-files-must-exist'),
  'version-must-exist': refusalRows('version-must-exist'),
  'workflow-must-exist': refusalRows('workflow-must-exist'),
  'execute-profile-must-exist': refusalRows('execute-profile-must-exist'),
  'execute-body-is-typed': {
    ...refusalRows('execute-body-is-typed'),
    'violated: recorded: a list': { given: [recorded([])], says: 'a body that is no object' },
    'violated: recorded: malformed JSON': { given: [malformedJson(202)], says: 'malformed JSON' },
    'ignored: recorded: a wait of the wrong type': [onSync({ timeoutSeconds: 'x' })],
    'ignored: recorded: null, which may mean none': [recorded({ profileId: null })],
  },
  'update-body-is-typed': {
    ...refusalRows('update-body-is-typed', 'updateProfile'),
    ...ofFlags(
      [0],
      (flag): Table => ({
        'violated: recorded: a flag that is a text': { given: [update({ [flag]: 'yes' })], says: `/${flag}` },
      }),
    ),
    ...all(
      words.map(({ field }) => ({ [`violated: recorded: a ${field} that is none`]: [update({ [field]: 'premium' })] })),
    ),
  },
  'profile-name-is-unique': {
    ...refusalRows('profile-name-is-unique', 'updateProfile'),
    'satisfied: corrected': [
      probe('profile-name-is-unique', {
        operation: 'updateProfile',
        status: 200,
        sent: { name: 'A' },
        body: { name: 'A (2)' },
      }),
    ],
    'violated: accepted, although the other profile still has it': [
      named('A', 1000, theirs),
      taking('A', 2000),
      named('A', 5000, theirs),
    ],
    'violated: a name that another profile is read to have in between': {
      given: [named('A', 1000), named('A', 2000, theirs), named('A', 3000)],
      says: '"A", which another one has',
    },
    'ignored: a name that a profile of another organization has': [
      named('A', 1000),
      named('A', 2000, { ...theirs, organizationId: ids.pool }),
      named('A', 3000),
    ],
  },
  'other-bodies-are-typed': refusalRows('other-bodies-are-typed', 'updateProfile'),
  'duplicate-into-unknown-organization': refusalRows('duplicate-into-unknown-organization', 'duplicateProfile'),
} satisfies Tables;
