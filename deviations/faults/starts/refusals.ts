/** Faults by which starts are accepted that should be refused. */

import type { OperationId } from '../../../generated/operations.js';
import { refuseParameter } from '../../../reference/errors.js';
import { poolIds, profileIds, uuid, workflowIds } from '../../../reference/fixtures.js';
import type { Start } from '../../../reference/start.js';
import type { Workflow } from '../../../reference/store.js';
import {
  asksFor,
  changing,
  type Fields,
  giving,
  hasFiles,
  ifFull,
  ignoring,
  isBare,
  isFields,
  optionsOf,
  overlooking,
  without,
} from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

const isBoth = (body: Fields) => body.head === true && body.version !== undefined;

/** Overlooks that a profile and a group exclude each other. */
const together =
  (operation: OperationId): Fault['behaviour'] =>
  (base) => ({
    violations: (called, body) =>
      base
        .violations(called, body)
        .filter(({ kind, parameter }) => called !== operation || kind !== 'exclusivity' || parameter !== 'profileId'),
    checkSelection: () => undefined,
  });

const workflows: ReadonlySet<unknown> = new Set(Object.values(workflowIds));

/** Skips a check for starts of this kind. */
const passing =
  (
    check: 'checkVariantKey' | 'checkSoftTimeout',
    is: (start: Start, workflow: Workflow) => boolean,
  ): Fault['behaviour'] =>
  (base) => ({
    [check]: (workflow: Workflow, start: Start) => (is(start, workflow) ? undefined : base[check](workflow, start)),
  });

/** Treats unknown workflows as one that exists. */
const unknownWorkflow =
  (operation: OperationId): Fault['behaviour'] =>
  (base) => ({
    receive: (call) =>
      base.receive(
        call.operation === operation && !workflows.has(call.id) ? { ...call, id: workflowIds.completes } : call,
      ),
  });

const isMember = (id: unknown): boolean =>
  [
    profileIds.held,
    ...Array.from({ length: profileIds.spares }, (_, index) => uuid('b', profileIds.spare + index)),
  ].includes(String(id));

export const refusalFaults: readonly Fault[] = [
  ...breaking('head-excludes-version', {
    'the-variants-take-head-with-version': overlooking(
      (body, operation) =>
        operation === 'executeSync' &&
        optionsOf(body).variantKey !== undefined &&
        body.head === true &&
        'version' in body,
    ),
    'head-with-version-passes-beside-temp-files': overlooking((body) => isBoth(body) && hasFiles(body)),
    'head-with-version-passes-alone': overlooking((body) => isBoth(body) && isBare(body)),
    'what-may-wait-takes-head-with-version': (base) => ({
      violations: (operation, body) =>
        base
          .violations(operation, body)
          .filter(({ kind }) => kind !== 'exclusivity' || !isFields(body) || ifFull(body) !== 'queue' || !body.head),
    }),
    'who-waits-as-long-as-usual-may-ask-for-both': giving('violations', (body, operation) => {
      const isSuch = operation === 'executeSync' && isFields(body) && body.head === true;
      return isSuch && !('timeoutSeconds' in body) ? without(body, 'version') : body;
    }),
  }),
  ...(['execute', 'executeSync'] as const).flatMap((operation) => [
    ...breaking('profile-excludes-group', {
      [`${operation}-takes-profile-with-group`]: together(operation),
    }),
    ...breaking('workflow-must-exist', {
      [`${operation}-runs-any-workflow`]: [unknownWorkflow(operation), 'execution-is-the-one-asked-for'],
    }),
  ]),
  ...breaking('profile-excludes-group', {
    'profile-with-group-passes-without-options': (base) => ({
      violations: (operation, body) =>
        isFields(body) &&
        asksFor(body, 'profileId') &&
        asksFor(body, 'profileGroupId') &&
        !asksFor(body, 'executionOptions')
          ? []
          : base.violations(operation, body),
      checkSelection: (start) => (start.softTimeoutMins === undefined ? undefined : base.checkSelection(start)),
    }),
    // A profile is taken together with the group that it is in.
    'members-run-with-their-group': (base) => {
      const alone = <T>(body: T): T =>
        isFields(body) && isMember(body.profileId) ? (without(body, 'profileGroupId') as T) : body;
      return {
        violations: (operation, body) => base.violations(operation, alone(body)),
        readStart: (body) => base.readStart(alone(body)),
      };
    },
  }),
  // execute takes profileId and profileGroupId together. The target file names no group but the one to be filled.
  {
    id: 'execute-takes-profile-with-the-only-group',
    breaks: ['profile-excludes-group'],
    behaviour: together('execute'),
    declared: { undeclared: ['profileGroup'] },
  },
  ...breaking('temp-files-must-exist', {
    'temp-files-are-known-by-name': (base) => ({
      findTempFile: (organization, file) =>
        base.findTempFile(organization, file) ??
        [...organization.tempFiles.values()].find(({ name }) => name === file.name),
    }),
    'the-last-temp-file-counts': changing('readStart', (start) => ({ ...start, tempFiles: start.tempFiles.slice(-1) })),
    'temp-files-without-a-profile-are-not-looked-up': changing('readStart', (start) =>
      start.profileId === undefined && start.poolId === undefined ? { ...start, tempFiles: [] } : start,
    ),
    'temp-files-beside-a-profile-are-not-looked-up': changing('readStart', (start) =>
      start.profileId === undefined ? start : { ...start, tempFiles: [] },
    ),
  }),
  ...breaking('variant-key-is-required', {
    'versions-need-no-variant': passing(
      'checkVariantKey',
      (start) => start.version !== undefined && start.variantKey === undefined,
    ),
    'variant-key-may-be-missing': passing('checkVariantKey', (start) => start.variantKey === undefined),
    'variant-key-may-be-missing-for-the-head': passing(
      'checkVariantKey',
      (start) => start.head && start.variantKey === undefined,
    ),
    'variant-key-may-be-missing-beside-options': passing(
      'checkVariantKey',
      (start) => start.softTimeoutMins !== undefined && start.variantKey === undefined,
    ),
    'profiles-stand-for-variants': passing(
      'checkVariantKey',
      (start) => start.profileId !== undefined && start.variantKey === undefined,
    ),
  }),
  ...breaking('variant-key-needs-variant-mode', {
    'options-bring-variants-along': passing(
      'checkVariantKey',
      (start, workflow) => !workflow.variantMode && start.softTimeoutMins !== undefined,
    ),
    'variant-keys-pass-alone': passing(
      'checkVariantKey',
      (start, workflow) => !workflow.variantMode && start.inputs === undefined,
    ),
    'variant-key-is-always-taken': passing('checkVariantKey', (_, workflow) => !workflow.variantMode),
  }),
  ...breaking('version-must-exist', {
    'version-0-is-none': ignoring('version', (one) => one !== 0),
    'versions-below-0-are-none': ignoring('version', (one) => typeof one !== 'number' || one >= 0),
  }),
  ...breaking('execute-profile-must-exist', {
    'profiles-are-not-looked-up': (base) => ({
      selectProfile: (organization, id) =>
        base.selectProfile(organization, id) ?? [...organization.profiles.values()][0],
    }),
    'groups-are-not-looked-up': (base) => ({
      selectPool: (organization, id) =>
        base.selectPool(organization, id) ??
        (id === poolIds.deletable ? undefined : [...organization.pools.values()][0]),
    }),
  }),
  ...Object.entries({ fractions: 1.5, texts: '10', flags: true }).map(
    ([kind, value]): Fault => ({
      id: `timeout-${kind}-are-taken`,
      breaks: ['sync-timeout-is-integer'],
      behaviour: ignoring('timeoutSeconds', (seconds) => seconds !== value),
    }),
  ),
  ...breaking('duplicate-into-unknown-organization', {
    'unknown-organizations-are-home': (base) => ({
      findOrganization: (organizations, key, id) =>
        base.findOrganization(organizations, key, id) ?? organizations.get(key.organizationId),
    }),
  }),
  ...breaking('soft-timeout-minimum', {
    // The soft timeout is not looked at beside a variantKey.
    'the-variants-have-no-limits': (base) => ({
      violations: (operation, body) =>
        base
          .violations(operation, body)
          .filter(
            ({ parameter }) =>
              !isFields(body) || optionsOf(body).variantKey === undefined || !parameter.endsWith('softTimeoutMins'),
          ),
    }),
    'soft-timeouts-pass-alone': overlooking((body) => optionsOf(body).softTimeoutMins === 0 && isBare(body)),
    'soft-timeout-begins-at-five': (base) => ({
      checkSoftTimeout: (workflow, start) =>
        start.softTimeoutMins !== undefined && start.softTimeoutMins < 5
          ? refuseParameter(400, 'executionOptions.softTimeoutMins', 'must be 5 or more')
          : base.checkSoftTimeout(workflow, start),
    }),
  }),
  ...breaking('soft-timeout-below-hard-timeout', {
    'soft-timeouts-of-weeks-pass': passing('checkSoftTimeout', (start) => (start.softTimeoutMins ?? 0) > 1440),
    'the-head-has-no-limits': passing('checkSoftTimeout', (start) => start.head),
    'soft-timeout-may-be-the-hard-one': passing(
      'checkSoftTimeout',
      (start, workflow) => start.softTimeoutMins === workflow.agent.hardTimeoutMins,
    ),
    'soft-timeout-ends-a-minute-early': giving('checkSoftTimeout', (start) => ({
      ...start,
      ...(start.softTimeoutMins !== undefined && { softTimeoutMins: start.softTimeoutMins + 1 }),
    })),
  }),
];
