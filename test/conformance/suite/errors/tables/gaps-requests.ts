import type { Mark } from '../../../../../conformance/engine/vocabulary.js';
import type { OperationId } from '../../../../../generated/operations.js';
import type { GapId, ObservableGapId, RuleId } from '../../../../../generated/rules.js';
import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Observations } from '../../../../support/gap-table.js';
import { refused, taken } from '../../../../support/sketches.js';

const asking = (gap: GapId, sketch: Sketch, more: Partial<Mark> = {}): Sketch => ({
  ...sketch,
  mark: { observes: [gap], ...more },
});
const probing = (gap: GapId, rule: RuleId, sketch: Sketch): Sketch =>
  asking(gap, sketch, { probe: { rule, fault: 'a fault', controls: [] } });
const answer = (operation: OperationId | null, status: number): Sketch => ({
  operation,
  status,
  body: { code: status, message: 'm' },
});

const exclusive = (sketch: Sketch) => probing('exclusivity-status', 'head-excludes-version', sketch);
const variant = (rule: RuleId, sketch: Sketch) => probing('variant-key-status', rule, sketch);
const unknown = (rule: RuleId, sketch: Sketch) => probing('unknown-workflow-status', rule, sketch);

/** Requests that ask, and what answers them. */
export const requestGaps = {
  'exclusivity-status': {
    'no code': { given: [exclusive({ ...refused, body: undefined })], says: 'head with version: 400' },
    'no rate limit, gateway or repeated request': [
      exclusive(answer('execute', 429)),
      exclusive(answer('execute', 504)),
      exclusive({ operation: 'execute' }),
      asking('exclusivity-status', refused, {
        excluded: true,
        probe: { rule: 'head-excludes-version', fault: 'f', controls: [] },
      }),
    ],
  },
  'over-capacity-status': {
    'each operation, also with 429': {
      given: [
        asking('over-capacity-status', answer('execute', 429)),
        asking('over-capacity-status', answer('executeSync', 409)),
      ],
      says: ['execute: 429 (code 429)', 'executeSync: 409 (code 409)'],
    },
    'no acceptance': [asking('over-capacity-status', taken)],
  },
  'queue-with-temp-files': {
    accepted: { given: [asking('queue-with-temp-files', taken)], says: 'taken' },
    'no probes, which are sent without capacity': [
      probing('queue-with-temp-files', 'temp-files-are-never-queued', refused),
    ],
  },
  'variant-key-status': {
    'missing and superfluous': {
      given: [
        variant('variant-key-needs-variant-mode', refused),
        variant('variant-key-is-required', answer('execute', 422)),
      ],
      says: ['missing: 422 (code 422)', 'unwanted: 400 (code 400)'],
    },
  },
  'unknown-workflow-status': {
    'no acceptance': [unknown('workflow-must-exist', taken)],
    'each unknown resource': {
      given: [
        unknown('workflow-must-exist', answer('execute', 404)),
        unknown('version-must-exist', refused),
        unknown('temp-files-must-exist', refused),
        unknown('execute-profile-must-exist', { ...refused, sent: { profileId: ids.profile } }),
        unknown('execute-profile-must-exist', { ...answer('execute', 404), sent: { profileGroupId: ids.pool } }),
      ],
      says: [
        'profile group: 404 (code 404)',
        'profile: 400 (code 400)',
        'temp file: 400 (code 400)',
        'version: 400 (code 400)',
        'workflow: 404 (code 404)',
      ],
    },
  },
  'malformed-id-status': {
    'by operation, recordings too': {
      given: [
        { ...answer('getExecution', 400), resource: 'x' },
        { ...answer('updateProfile', 404), resource: 'x' },
      ],
      says: ['getExecution: 400', 'updateProfile: 404'],
    },
    'no uuids, and no operations that start': [answer('getExecution', 404), { ...refused, resource: 'x' }],
  },
  'unsupported-method': {
    'the method and the status': { given: [asking('unsupported-method', answer(null, 405))], says: 'PUT: 405' },
  },
  'unsupported-media-type': {
    'the status': {
      given: [asking('unsupported-media-type', answer('updateProfile', 415))],
      says: 'updateProfile: 415',
    },
  },
  'header-names-interchangeable': {
    'accepted or not': {
      given: [
        asking('header-names-interchangeable', answer('execute', 404)),
        asking('header-names-interchangeable', answer('getExecution', 401)),
      ],
      says: ['execute: yes', 'getExecution: no (401)'],
    },
  },
  'key-in-both-headers': {
    'which one counts': {
      given: [
        asking('key-in-both-headers', answer('execute', 404)),
        asking('key-in-both-headers', answer('getExecution', 401)),
      ],
      says: ['execute: the valid key', 'getExecution: the wrong key (401)'],
    },
  },
  'auth-before-validation': {
    '401 or another status': {
      given: [
        asking('auth-before-validation', answer('execute', 401)),
        asking('auth-before-validation', answer('updateProfile', 400)),
      ],
      says: ['execute: yes', 'updateProfile: no (400)'],
    },
  },
} satisfies { readonly [gap in ObservableGapId]?: Observations };
