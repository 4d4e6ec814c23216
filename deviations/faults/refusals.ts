import type { OperationId } from '../../generated/operations.js';
import type { RuleId } from '../../generated/rules.js';
import { refuseParameter } from '../../reference/errors.js';
import { poolIds, workflowIds } from '../../reference/fixtures.js';
import { ignoring, isFields } from '../change.js';
import type { Fault } from '../fault.js';

const takes = (id: string, rule: RuleId, says: string, behaviour: Fault['behaviour']): Fault => ({
  id,
  breaks: [rule],
  says,
  behaviour,
});

/** Does not see two fields that exclude each other. */
const together =
  (operation: OperationId, parameter: string): Fault['behaviour'] =>
  (base) => ({
    violations: (called, body) =>
      base
        .violations(called, body)
        .filter(
          (violation) => called !== operation || violation.kind !== 'exclusivity' || violation.parameter !== parameter,
        ),
    ...(parameter === 'profileId' && { checkSelection: () => undefined }),
  });

/** Does not see that a field of the execution options is out of bounds. */
const softTimeout = (is: (minutes: number) => boolean): Fault['behaviour'] =>
  ignoring('executionOptions', (options) => !isFields(options) || !is(Number(options.softTimeoutMins)));

const known = (ids: Readonly<Record<string, unknown>>): ReadonlySet<unknown> => new Set(Object.values(ids));
const workflows = known(workflowIds);

/** Takes one thing for another that is there. */
const unknownWorkflow =
  (operation: OperationId): Fault['behaviour'] =>
  (base) => ({
    receive: (call) =>
      base.receive(
        call.operation === operation && !workflows.has(call.id) ? { ...call, id: workflowIds.completes } : call,
      ),
  });

const text = (value: unknown) => typeof value === 'string';
const whole = (value: unknown) => typeof value !== 'number' || Number.isInteger(value);
const isUuid = (value: unknown) => text(value) && /^[\da-f-]{36}$/i.test(value as string);
const values = (value: unknown): readonly unknown[] => (isFields(value) ? Object.values(value) : []);
const every = (value: unknown, is: (item: unknown) => boolean) => Array.isArray(value) && value.every(is);
const has =
  (...names: string[]) =>
  (item: unknown) =>
    isFields(item) && names.every((name) => name in item);

/** Fields that are left out of account where they are not of their type. */
const starts: readonly (readonly [slug: string, says: string, behaviour: Fault['behaviour']])[] = [
  [
    'metadata-of-numbers',
    'metadata with a value that is a number',
    ignoring('metadata', (value) => !isFields(value) || values(value).every(text)),
  ],
  ['metadata-lists', 'metadata that is a list', ignoring('metadata', (value) => !Array.isArray(value))],
  ['inputs-of-text', 'inputs that are a text', ignoring('inputs', (value) => !text(value))],
  ['head-of-text', 'a head that is a text', ignoring('head', (value) => !text(value))],
  ['version-of-text', 'a version that is a text', ignoring('version', (value) => !text(value))],
  ['profile-id-of-any-kind', 'a profileId that is no uuid', ignoring('profileId', isUuid)],
  ['profile-group-id-of-any-kind', 'a profileGroupId that is no uuid', ignoring('profileGroupId', isUuid)],
  [
    'capacity-words',
    'an onCapacityLimit of another word',
    ignoring('onCapacityLimit', (value) => value === 'reject' || value === 'queue'),
  ],
  ['options-of-text', 'executionOptions that are a text', ignoring('executionOptions', isFields)],
  [
    'soft-timeouts-of-text',
    'softTimeoutMins that is a text',
    ignoring('executionOptions', (value) => !isFields(value) || !text(value.softTimeoutMins)),
  ],
  [
    'soft-timeout-fractions',
    'softTimeoutMins that is no integer',
    ignoring('executionOptions', (value) => !isFields(value) || whole(value.softTimeoutMins)),
  ],
  ['version-fractions', 'a version that is no integer', ignoring('version', whole)],
  ['temp-files-in-no-list', 'tempFiles that are no list', ignoring('tempFiles', Array.isArray)],
  ['old-inputs-of-text', 'dynamicData that is a text', ignoring('dynamicData', isFields)],
  ['old-profile-ids-of-any-kind', 'an agentProfileId that is no uuid', ignoring('agentProfileId', isUuid)],
  ['old-group-ids-of-any-kind', 'an agentProfilePoolId that is no uuid', ignoring('agentProfilePoolId', isUuid)],
  [
    'temp-files-without-a-name',
    'a temp file without a name',
    ignoring('tempFiles', (value) => every(value, has('id', 'name'))),
  ],
  ['temp-files-without-an-id', 'a temp file without an id', ignoring('tempFiles', (value) => every(value, has('id')))],
  [
    'metadata-behind-its-first',
    'metadata with a first value that is a text, and others that are none',
    ignoring('metadata', (value) => !text(values(value)[0]) || values(value).every(text)),
  ],
  ['inputs-in-lists', 'inputs that are a list', ignoring('inputs', (value) => !Array.isArray(value))],
  ['head-of-numbers', 'a head that is a number', ignoring('head', (value) => typeof value !== 'number')],
  [
    'version-of-digits',
    'a version that is a text of digits',
    ignoring('version', (value) => !/^\d+$/.test(text(value) ? `${value}` : '')),
  ],
];

/** Bodies that are taken for an empty one. */
const emptied =
  (is: (body: unknown) => boolean): Fault['behaviour'] =>
  (base) => ({
    parseBody: (bytes) => {
      const body = base.parseBody(bytes);
      return is(body) ? {} : body;
    },
  });

/** What a start may ask for, and the service does not refuse. */
export const refusalFaults: readonly Fault[] = [
  {
    ...takes(
      'execute-takes-profile-with-the-only-group',
      'profile-excludes-group',
      'execute takes profileId and profileGroupId together. The target file names no group but the one to be filled.',
      together('execute', 'profileId'),
    ),
    declared: { undeclared: ['profileGroup'] },
  },
  ...(['execute', 'executeSync'] as const).flatMap((operation) => [
    takes(
      `${operation}-takes-head-with-version`,
      'head-excludes-version',
      `${operation} takes head and version together: the version runs.`,
      together(operation, 'version'),
    ),
    takes(
      `${operation}-takes-profile-with-group`,
      'profile-excludes-group',
      `${operation} takes profileId and profileGroupId together: the group decides.`,
      together(operation, 'profileId'),
    ),
    {
      id: `${operation}-runs-any-workflow`,
      breaks: ['workflow-must-exist', 'execution-is-the-one-asked-for'] as const,
      says: `${operation} runs some workflow where the one that is asked for does not exist.`,
      behaviour: unknownWorkflow(operation),
    },
  ]),
  takes('temp-files-are-not-looked-up', 'temp-files-must-exist', 'A temp file that was not uploaded is taken.', () => ({
    findTempFile: (_organization, file) => file,
  })),
  takes('versions-are-not-looked-up', 'version-must-exist', 'A version that does not exist is taken.', () => ({
    hasVersion: () => true,
  })),
  takes(
    'profiles-are-not-looked-up',
    'execute-profile-must-exist',
    'For a profile that does not exist another one is taken.',
    (base) => ({
      selectProfile: (organization, id) =>
        base.selectProfile(organization, id) ?? [...organization.profiles.values()][0],
    }),
  ),
  takes(
    'groups-are-not-looked-up',
    'execute-profile-must-exist',
    'For a group that never was another one is taken.',
    (base) => ({
      selectPool: (organization, id) =>
        base.selectPool(organization, id) ??
        (id === poolIds.deletable ? undefined : [...organization.pools.values()][0]),
    }),
  ),
  takes(
    'variant-key-may-be-missing',
    'variant-key-is-required',
    'A workflow in variant mode runs without a variantKey.',
    (base) => ({
      checkVariantKey: (workflow, start) =>
        start.variantKey === undefined ? undefined : base.checkVariantKey(workflow, start),
    }),
  ),
  takes(
    'variant-key-may-be-missing-for-the-head',
    'variant-key-is-required',
    'The head of a workflow in variant mode runs without a variantKey.',
    (base) => ({
      checkVariantKey: (workflow, start) =>
        start.head && start.variantKey === undefined ? undefined : base.checkVariantKey(workflow, start),
    }),
  ),
  takes(
    'variant-key-may-be-missing-beside-options',
    'variant-key-is-required',
    'A workflow in variant mode runs without a variantKey where there are other options.',
    (base) => ({
      checkVariantKey: (workflow, start) =>
        start.softTimeoutMins !== undefined && start.variantKey === undefined
          ? undefined
          : base.checkVariantKey(workflow, start),
    }),
  ),
  takes(
    'what-may-wait-takes-head-with-version',
    'head-excludes-version',
    'A start that may wait takes head and version together.',
    (base) => ({
      violations: (operation, body) =>
        base
          .violations(operation, body)
          .filter(
            ({ kind }) => kind !== 'exclusivity' || !isFields(body) || body.onCapacityLimit !== 'queue' || !body.head,
          ),
    }),
  ),
  takes(
    'variant-key-is-always-taken',
    'variant-key-needs-variant-mode',
    'A variantKey is taken without variant mode.',
    (base) => ({
      checkVariantKey: (workflow, start) => (workflow.variantMode ? base.checkVariantKey(workflow, start) : undefined),
    }),
  ),
  takes(
    'soft-timeout-0-is-none',
    'soft-timeout-minimum',
    'softTimeoutMins 0 stands for none.',
    softTimeout((minutes) => minutes === 0),
  ),
  takes(
    'version-0-is-none',
    'version-must-exist',
    'version 0 stands for none.',
    ignoring('version', (one) => one !== 0),
  ),
  takes(
    'versions-below-0-are-none',
    'version-must-exist',
    'A version below 0 stands for none.',
    ignoring('version', (one) => typeof one !== 'number' || one >= 0),
  ),
  takes(
    'soft-timeout-below-0-is-none',
    'soft-timeout-minimum',
    'softTimeoutMins below 0 stands for none.',
    softTimeout((minutes) => minutes < 0),
  ),
  takes(
    'soft-timeout-may-be-the-hard-one',
    'soft-timeout-below-hard-timeout',
    'softTimeoutMins may be as long as the hard timeout.',
    (base) => ({
      checkSoftTimeout: (workflow, start) =>
        start.softTimeoutMins === workflow.agent.hardTimeoutMins ? undefined : base.checkSoftTimeout(workflow, start),
    }),
  ),
  takes(
    'soft-timeout-may-exceed-the-hard-one',
    'soft-timeout-below-hard-timeout',
    'softTimeoutMins may be longer than the hard timeout.',
    (base) => ({
      checkSoftTimeout: (workflow, start) =>
        Number(start.softTimeoutMins) > workflow.agent.hardTimeoutMins
          ? undefined
          : base.checkSoftTimeout(workflow, start),
    }),
  ),
  takes('soft-timeout-begins-at-five', 'soft-timeout-minimum', 'softTimeoutMins below 5 is refused.', (base) => ({
    checkSoftTimeout: (workflow, start) =>
      start.softTimeoutMins !== undefined && start.softTimeoutMins < 5
        ? refuseParameter(400, 'executionOptions.softTimeoutMins', 'must be 5 or more')
        : base.checkSoftTimeout(workflow, start),
  })),
  takes(
    'soft-timeout-ends-a-minute-early',
    'soft-timeout-below-hard-timeout',
    'softTimeoutMins one below the hard timeout is refused.',
    (base) => ({
      checkSoftTimeout: (workflow, start) =>
        base.checkSoftTimeout(workflow, {
          ...start,
          ...(start.softTimeoutMins !== undefined && { softTimeoutMins: start.softTimeoutMins + 1 }),
        }),
    }),
  ),
  ...starts.map(([slug, says, behaviour]) =>
    takes(`ignores-${slug}`, 'execute-body-is-typed', `A start with ${says} runs without it.`, behaviour),
  ),
  {
    id: 'malformed-json-is-nothing',
    breaks: ['execute-body-is-typed', 'update-body-is-typed'],
    says: 'Malformed JSON is taken for an empty body.',
    behaviour: (base) => ({
      parseBody: (bytes) => {
        try {
          return base.parseBody(bytes);
        } catch {
          return {};
        }
      },
    }),
  },
  {
    id: 'lists-are-nothing',
    breaks: ['execute-body-is-typed', 'update-body-is-typed'],
    says: 'A body that is a list is taken for an empty one.',
    behaviour: emptied(Array.isArray),
  },
];
