import { isTerminal } from '../../generated/lifecycle.js';
import type { InitialExecutionStatus } from '../../generated/types.js';
import { refuseParameter } from '../../reference/errors.js';
import type { Run } from '../../reference/store.js';
import { answering, bodyOf, isFields, showing, without } from '../change.js';
import type { Fault } from '../fault.js';

const onlyWhenTaken = (status: number, headers = {}): Fault['behaviour'] =>
  answering((answer, { operation }) =>
    operation === 'execute' && answer.status === 202 ? { ...answer, status, headers } : answer,
  );

/** What a start is answered with, and what is made of what it says. */
export const startFaults: readonly Fault[] = [
  {
    id: 'execute-answers-200',
    breaks: ['execute-is-accepted', 'status-is-documented'],
    says: 'An accepted start is answered 200.',
    behaviour: onlyWhenTaken(200),
  },
  {
    id: 'execute-redirects',
    breaks: ['execute-is-accepted', 'status-is-documented'],
    says: 'An accepted start is answered 303, with the way to the execution.',
    behaviour: onlyWhenTaken(303, { Location: '/agents/v2/executions' }),
  },
  {
    id: 'execute-gives-no-id',
    breaks: ['execute-is-accepted', 'response-matches-schema'],
    says: 'An accepted start does not say which execution it started.',
    behaviour: bodyOf('execute', (body) => without(body, 'executionId')),
  },
  {
    id: 'execute-gives-a-number',
    breaks: ['execute-is-accepted', 'response-matches-schema'],
    says: 'The id of a started execution is a number.',
    behaviour: bodyOf('execute', (body) => ({ ...body, executionId: 4711 })),
  },
  {
    id: 'initial-status-is-running',
    breaks: ['execute-initial-status', 'response-matches-schema'],
    says: 'An execution that starts at once is answered as running.',
    behaviour: (base) => ({
      initialStatus: (admission) =>
        admission === 'start' ? ('running' as InitialExecutionStatus) : base.initialStatus(admission),
    }),
  },
  {
    id: 'initial-status-is-pending',
    breaks: ['execute-initial-status', 'response-matches-schema'],
    says: 'Every start is answered with a status of its own, pending.',
    behaviour: () => ({ initialStatus: () => 'pending' as InitialExecutionStatus }),
  },
  {
    id: 'initial-status-is-queued',
    breaks: ['queued-only-when-asked'],
    says: 'Every start is answered as queued.',
    behaviour: () => ({ initialStatus: () => 'queued' }),
  },
  {
    id: 'asking-to-queue-is-being-queued',
    breaks: ['execute-initial-status'],
    says: 'A start with onCapacityLimit queue is answered as queued, also when it begins at once.',
    behaviour: (base) => ({
      presentStarted: (run, status) => base.presentStarted(run, run.start.queue ? 'queued' : status),
    }),
  },
  {
    id: 'empty-inputs-are-refused',
    breaks: ['execute-is-accepted'],
    says: 'A start with inputs that are empty is refused.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        operation === 'execute' && isFields(body) && isFields(body.inputs) && Object.keys(body.inputs).length === 0
          ? [{ kind: 'value', parameter: 'inputs', detail: 'must not be empty' }]
          : base.violations(operation, body),
    }),
  },
  {
    id: 'starting-reads-as-queued',
    breaks: ['queued-only-when-asked'],
    says: 'An execution that is starting is read as queued.',
    behaviour: showing((one) => (one.status === 'starting' ? { ...one, status: 'queued' } : one)),
  },
  {
    id: 'execute-waits-for-the-end',
    breaks: ['execute-returns-at-once'],
    says: 'The asynchronous start is answered when the run has ended.',
    behaviour: () => ({ asyncWaitMs: () => 25_000 }),
  },
  {
    id: 'versions-are-refused',
    breaks: ['version-and-head-are-accepted'],
    says: 'Only the published version runs, and only where no version is asked for.',
    behaviour: (base) => ({
      checkSelection: (start) =>
        start.version === undefined ? base.checkSelection(start) : refuseParameter(400, 'version', 'cannot be chosen'),
    }),
  },
  {
    id: 'head-is-refused',
    breaks: ['version-and-head-are-accepted', 'deprecated-fields-still-work'],
    says: 'The editable head cannot be run.',
    behaviour: (base) => ({
      checkSelection: (start) =>
        start.head ? refuseParameter(400, 'head', 'cannot be run') : base.checkSelection(start),
    }),
  },
  {
    id: 'starts-share-an-execution',
    breaks: ['execute-is-accepted'],
    says: 'A start is answered with the execution of the workflow that runs already.',
    behaviour: (base) => {
      const running = new Map<string, Run>();
      return {
        presentStarted: (run, status) => {
          const other = running.get(run.workflow.id);
          if (other && !isTerminal(other.status)) return base.presentStarted(other, status);
          running.set(run.workflow.id, run);
          return base.presentStarted(run, status);
        },
      };
    },
  },
  {
    id: 'starts-share-the-execution-of-a-call',
    breaks: ['execute-is-accepted'],
    says: 'A start is answered with the execution of the synchronous call of the workflow before it.',
    behaviour: (base) => {
      const called = new Map<string, Run>();
      return {
        presentSync: (run) => {
          called.set(run.workflow.id, run);
          return base.presentSync(run);
        },
        presentStarted: (run, status) => base.presentStarted(called.get(run.workflow.id) ?? run, status),
      };
    },
  },
  {
    id: 'equal-starts-share-an-execution',
    breaks: ['execute-is-accepted'],
    says: 'A start that was sent before is answered with the execution of then.',
    behaviour: (base) => {
      const runs = new Map<string, Run>();
      return {
        presentStarted: (run, status) => {
          const request = JSON.stringify([run.workflow.id, run.start]);
          const first = runs.get(request) ?? run;
          runs.set(request, first);
          return base.presentStarted(first, status);
        },
      };
    },
  },
  {
    id: 'variant-keys-stay-as-they-are',
    breaks: ['storage-key-is-a-slug'],
    says: 'No slug is made of a variantKey.',
    behaviour: () => ({ slug: (key) => key }),
  },
  {
    id: 'variant-keys-lead-upwards',
    breaks: ['storage-key-is-a-slug'],
    says: 'The slug of a variantKey is two dots.',
    behaviour: () => ({ slug: () => '..' }),
  },
  {
    id: 'variant-keys-come-to-nothing',
    breaks: ['storage-key-is-a-slug'],
    says: 'The slug of a variantKey without a letter or digit is empty.',
    behaviour: () => ({ slug: (key) => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '') }),
  },
  {
    id: 'variant-keys-must-be-slugs',
    breaks: ['variant-key-is-normalised'],
    says: 'A variantKey that is no slug is refused.',
    behaviour: (base) => ({
      checkVariantKey: (workflow, start) =>
        start.variantKey !== undefined && start.variantKey !== base.slug(start.variantKey)
          ? refuseParameter(400, 'executionOptions.variantKey', 'must be a slug')
          : base.checkVariantKey(workflow, start),
    }),
  },
  ...(['agentProfileId', 'agentProfilePoolId', 'dynamicData'] as const).flatMap((field): Fault[] => [
    {
      id: `${field}-is-ignored`,
      breaks:
        field === 'agentProfilePoolId'
          ? ['deprecated-fields-still-work', 'deleted-pool-cannot-run']
          : ['deprecated-fields-still-work'],
      says: `A start with ${field} runs as if it had not been sent.`,
      behaviour: (base) => ({ readStart: ({ [field]: _, ...body }) => base.readStart(body) }),
    },
    {
      id: `${field}-is-refused`,
      breaks: ['deprecated-fields-still-work'],
      says: `A start with ${field} is refused.`,
      behaviour: (base) => ({
        violations: (operation, body) =>
          isFields(body) && field in body
            ? [{ kind: 'value', parameter: field, detail: 'is not known any more' }]
            : base.violations(operation, body),
      }),
    },
  ]),
];
