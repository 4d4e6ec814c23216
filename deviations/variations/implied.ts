import { couplings, plainFlags } from '../../generated/flags.js';
import { answering, bodyOf, isFields, isRefusal, restated, showing, type Way, without } from '../change.js';
import type { Variation } from '../variation.js';
import { times } from './everywhere.js';

const masked = (value: unknown): unknown => {
  if (typeof value === 'string') return '••••••';
  if (Array.isArray(value)) return value.map(masked);
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one)])) : value;
};

/** Of an execution: its required fields, and the times of its end. */
const shownAnyway = new Set(
  'id agentId agentName organizationId workflowId status createdAt hasBeenRerun comments humanLabels terminalAt duration'.split(
    ' ',
  ),
);

/** The rules that an execution shows what its start gave. */
const ofItsStart = [
  'inputs-are-shown',
  'metadata-is-shown',
  'used-profile-is-shown',
  'group-profile-is-recorded',
] as const;

/** What every user would expect, and the interface does not say. Faults that break nothing but a SHOULD are more of it. */
/** Takes what is wrong in a field, and keeps it as it was sent. */
const taking =
  (field: RegExp): Way =>
  (base) => ({
    violations: (operation, body) =>
      base
        .violations(operation, body)
        .filter(({ kind, parameter }) => kind === 'exclusivity' || !field.test(parameter)),
  });

export const impliedVariations: readonly Variation[] = [
  {
    id: 'expiries-are-any-value',
    says: 'The expiry of a cookie is kept as it is sent, whatever it is.',
    warns: ['update-body-is-typed'],
    behaviour: taking(/expiry/),
  },
  {
    id: 'cookies-are-any-value',
    says: 'Cookies are kept as they are sent, whatever is in them.',
    warns: ['update-body-is-typed'],
    behaviour: taking(/^cookiesToAdd.*\d.*\./),
  },
  {
    id: 'flags-are-any-value',
    says: 'Flags of a profile are kept as they are sent, whatever they are.',
    warns: ['update-body-is-typed'],
    behaviour: taking(new RegExp(`^(?:${[...plainFlags, ...couplings.map(({ flag }) => flag)].join('|')})$`)),
  },
  {
    id: 'metadata-are-any-value',
    says: 'Metadata of a start are kept as they are sent, whatever is in them.',
    warns: ['execute-body-is-typed'],
    behaviour: taking(/^metadata/),
  },
  {
    id: 'unknown-things-are-forbidden',
    says: 'A key may not use what does not exist: nobody learns what there is.',
    warns: ['unknown-execution-is-404', 'unknown-profile-is-404', 'unknown-pool-is-404'],
    behaviour: answering((answer, { operation }) =>
      answer.status === 404 && operation !== 'listExecutionFiles' ? restated(answer, 403) : answer,
    ),
  },
  {
    id: 'missing-listings-are-explained-in-a-text',
    says: 'The listing of an execution that does not exist is answered with the JSON text "Execution not found".',
    warns: ['files-error-shape'],
    behaviour: answering((answer, { operation }) =>
      answer.status === 404 && operation === 'listExecutionFiles' ? { ...answer, body: 'Execution not found' } : answer,
    ),
  },
  {
    id: 'executions-show-no-options',
    says: 'An execution does not show its executionOptions.',
    untested: ['options-are-recorded', 'storage-key-is-a-slug'],
    behaviour: showing((one) => without(one, 'executionOptions')),
  },
  {
    id: 'listings-without-the-time',
    says: 'A listing of files does not say when it was last updated.',
    behaviour: bodyOf('listExecutionFiles', (body) => without(body, 'lastUpdated')),
  },
  {
    id: 'times-without-offset',
    says: 'Times do not say in which zone they are.',
    behaviour: times((time) => time.replace('Z', '')),
  },
  {
    id: 'foreign-words',
    says: 'Refusals are explained in Japanese.',
    behaviour: answering((answer) =>
      isRefusal(answer) && isFields(answer.body)
        ? {
            ...answer,
            body: {
              ...answer.body,
              message: '見つかりません',
              ...('detail' in answer.body && { detail: '見つかりません' }),
            },
          }
        : answer,
    ),
  },
  {
    id: 'proxies-have-a-bypass',
    says: 'customProxy shows which hosts bypass it, and null for the password.',
    behaviour: bodyOf('updateProfile', (body) =>
      isFields(body.customProxy)
        ? { ...body, customProxy: { ...body.customProxy, bypass: 'localhost', password: null } }
        : body,
    ),
  },
  {
    id: 'executions-show-what-is-required',
    says: 'An execution shows what is required and the times of its end; the answer to a synchronous start has the result.',
    warns: ofItsStart,
    untested: 'any',
    behaviour: showing((one) => Object.fromEntries(Object.entries(one).filter(([name]) => shownAnyway.has(name)))),
  },
  {
    id: 'null-for-nothing',
    says: 'An optional field of an execution without a value is null.',
    warns: ['optional-fields-are-not-null'],
    behaviour: showing((one) => ({
      agentProfileId: null,
      agentProfileName: null,
      liveViewUrl: null,
      recordingUrl: null,
      duration: null,
      terminalAt: null,
      parentExecutionId: null,
      scriptFailures: null,
      triggerContext: null,
      executionResult: null,
      ...one,
    })),
  },
  {
    id: 'masked-inputs',
    says: 'Texts in inputs are masked.',
    behaviour: showing((one) => (one.inputs ? { ...one, inputs: masked(one.inputs) } : one)),
  },
  {
    id: 'used-inputs-only',
    says: 'An execution shows the one input that it used.',
    warns: ['inputs-are-shown'],
    behaviour: showing((one) => {
      const [first] = Object.entries(one.inputs ?? {});
      return first ? { ...one, inputs: Object.fromEntries([first]) } : one;
    }),
  },
  {
    id: 'reticent-executions',
    says: 'An execution shows nothing of what its start gave.',
    warns: ofItsStart,
    untested: 'any',
    behaviour: showing((one) =>
      without(one, 'inputs', 'metadata', 'executionOptions', 'agentProfileId', 'agentProfileName'),
    ),
  },
  {
    id: 'started-by-an-integration',
    says: 'What a key starts is said to be started by an integration.',
    warns: ['trigger-is-api'],
    untested: ['trigger-names-its-key'],
    behaviour: showing((one) =>
      'triggerContext' in one ? { ...one, triggerContext: { source: 'integration' } } : one,
    ),
  },
  {
    id: 'no-live-views',
    says: 'liveViewUrl is an empty text while an execution runs, and there are no recordings.',
    untested: ['recording-is-shown', 'deprecated-urls-agree'],
    behaviour: showing((one) => ({
      ...without(one, 'liveViewUrl', 'browserLiveViewUrl', 'recordingUrl', 'browserRecordingUrl'),
      ...(one.status === 'running' && { liveViewUrl: '' }),
    })),
  },
];
