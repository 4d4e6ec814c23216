/** Observes statuses and contents of answers where the interface does not say. */

import { type Operation, type OperationId, operationIds, operations } from '../../../generated/operations.js';
import type { GapId, RuleId } from '../../../generated/rules.js';
import { isExcluded, isProbe } from '../../engine/outcome/mark.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  type Fields,
  hasMalformedId,
  isFields,
  objectIn,
  refused,
  requestBody,
  requestFields,
  status,
} from '../../engine/outcome/read.js';
import { successfulReadings } from '../../engine/outcome/readings.js';
import {
  observationsOf,
  observed,
  refusedWith,
  statusAndCode,
  withoutIdentifiers,
} from '../../engine/rule/observed.js';
import { listOf, shorten } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Observer } from '../../engine/vocabulary.js';

const problemFields = ['detail', 'errors', 'instance', 'status', 'title', 'type'];

const failures = ({ exchanges }: Evidence, ...operations: readonly OperationId[]): Fields[] =>
  exchanges
    .filter(({ operation }) => operation !== null && operations.includes(operation))
    .filter((exchange) => outcomeOf(exchange).own && refused(exchange))
    .map(answerBody)
    .filter((body) => body !== undefined);

const executions = ({ traces }: Evidence): Fields[] =>
  traces.flatMap(({ readings }) => successfulReadings(readings).map(({ execution }) => execution));

const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');

/** The fields that all of these objects have. */
const always = (what: string, objects: readonly Fields[]): string[] => {
  const [first, ...others] = objects;
  if (!first) return [];
  const fields = Object.keys(first).filter((field) => others.every((other) => field in other));
  return [`${what}: ${fields.sort().join(', ') || 'none'}`];
};

type Label = string | ((exchange: Exchange) => string);

/** `label: status (code)`, with a label for the rule of the probe. */
const byRule =
  (gap: GapId, labels: { readonly [rule in RuleId]?: Label }): Observer =>
  (evidence) =>
    observed(
      observationsOf(evidence, gap)
        .filter(refused)
        .flatMap((exchange) => {
          const label = labels[exchange.mark?.probe?.rule as RuleId];
          if (label === undefined) return [];
          return `${typeof label === 'string' ? label : label(exchange)}: ${statusAndCode(exchange)}`;
        }),
    );

export const errorGaps = {
  'exclusivity-status': byRule('exclusivity-status', {
    'head-excludes-version': 'head with version',
    'profile-excludes-group': 'profileId with profileGroupId',
  }),
  'variant-key-status': byRule('variant-key-status', {
    'variant-key-is-required': 'missing',
    'variant-key-needs-variant-mode': 'unwanted',
  }),
  'unknown-workflow-status': byRule('unknown-workflow-status', {
    'workflow-must-exist': 'workflow',
    'version-must-exist': 'version',
    'temp-files-must-exist': 'temp file',
    'execute-profile-must-exist': (exchange) => (requestFields(exchange).profileGroupId ? 'profile group' : 'profile'),
  }),
  'over-capacity-status': (evidence) =>
    observed(
      observationsOf(evidence, 'over-capacity-status', true)
        .filter(refused)
        .map((exchange) => `${exchange.operation}: ${statusAndCode(exchange)}`),
    ),
  'queue-with-temp-files': (evidence) =>
    observed(
      observationsOf(evidence, 'queue-with-temp-files', true)
        // The probes were sent at the capacity limit.
        .filter((one) => !isProbe(one))
        .map((exchange) => (accepted(exchange) ? 'taken' : refusedWith(exchange))),
    ),
  'malformed-id-status': ({ exchanges }) =>
    observed(
      exchanges
        .filter(
          (exchange) =>
            exchange.operation?.startsWith('execute') === false && exchange.resource && hasMalformedId(exchange),
        )
        .filter((exchange) => outcomeOf(exchange).own && refused(exchange) && !isExcluded(exchange))
        .map((exchange) => `${exchange.operation}: ${status(exchange)}`),
    ),
  'unsupported-method': (evidence) =>
    observed(observationsOf(evidence, 'unsupported-method').map((one) => `${one.request.method}: ${status(one)}`)),
  'unsupported-media-type': (evidence) =>
    observed(observationsOf(evidence, 'unsupported-media-type').map((one) => `${one.operation}: ${status(one)}`)),
  'files-error-body': (evidence) =>
    observed(
      failures(evidence, 'listExecutionFiles').map((body) =>
        problemFields.some((field) => field in body) ? 'standard' : 'simple',
      ),
    ),
  'standard-error-optional-fields': (evidence) => {
    const bodies = failures(evidence, 'execute', 'executeSync');
    const fields = problemFields.filter((field) => bodies.some((body) => field in body));
    return bodies.length > 0 && fields.length === 0 ? ['none'] : fields;
  },
  'trigger-sources': (evidence) => {
    const sources = texts(
      executions(evidence).map(({ triggerContext }) => isFields(triggerContext) && triggerContext.source),
    );
    const others = sources.filter((source) => source !== 'api');
    return sources.length > 0 && others.length === 0 ? ['api only'] : observed(others.map(withoutIdentifiers));
  },
  'file-created-by': ({ traces }) => {
    const files = traces
      .flatMap(({ listings }) => successfulReadings(listings))
      .flatMap(({ execution: { directories } }) =>
        isFields(directories) ? Object.values(directories).flatMap(listOf) : [],
      );
    const values = (field: string) =>
      texts(files.map((file) => file[field])).map((value) => `${field}: ${withoutIdentifiers(value)}`);
    return observed([...values('createdBy'), ...values('directory')]);
  },
  'rate-limit-headers': ({ exchanges }) => {
    const names = exchanges.flatMap(({ response }) => Object.keys(response?.headers ?? {}));
    const found = names.filter((name) => /^(?:x-)?rate-?limit\b|^retry-after$/.test(name));
    return found.length === 0 && names.length > 0 ? ['none'] : observed(found.map((name) => shorten(name)));
  },
  'variant-key-slug': ({ traces }) =>
    observed(
      traces.flatMap(({ start, readings }) => {
        const key = start && objectIn(requestBody(start), 'executionOptions').variantKey;
        const last = successfulReadings(readings).at(-1)?.execution;
        if (typeof key !== 'string' || !last) return [];
        const recorded = objectIn(last, 'executionOptions').sharedStorageKey;
        return `${withoutIdentifiers(key)} → ${typeof recorded === 'string' ? withoutIdentifiers(recorded) : 'not shown'}`;
      }),
    ),
  'unstated-required-fields': (evidence) => [
    ...always(
      'human label',
      executions(evidence).flatMap(({ humanLabels }) => listOf(humanLabels)),
    ),
    ...always(
      'runner',
      executions(evidence)
        .flatMap(({ triggerContext }) => (isFields(triggerContext) ? triggerContext.runner : undefined))
        .filter(isFields),
    ),
  ],
} satisfies { readonly [gap in GapId]?: Observer };

export type SuccessGapId = NonNullable<(typeof operations)[OperationId]['openSuccess']>;

/** The statuses of an operation's successes, with the contents of the body if the contract has no schema for it. */
export const successOf =
  (operation: OperationId, isBodyOpen: boolean): Observer =>
  ({ exchanges }) =>
    observed(
      exchanges
        .filter((exchange) => exchange.operation === operation && accepted(exchange))
        .map((exchange) => {
          if (!isBodyOpen) return `${status(exchange)}`;
          const fields = Object.keys(answerBody(exchange) ?? {}).sort();
          const body = exchange.response?.body.kind === 'none' ? 'without a body' : 'with a body';
          return `${status(exchange)} ${body}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`;
        }),
    );

export const successGaps = Object.fromEntries(
  operationIds.flatMap((id): [string, Observer][] => {
    const { openSuccess, successes }: Operation = operations[id];
    const isBodyOpen = Object.values(successes).some(({ schema }) => schema === null);
    return openSuccess ? [[openSuccess, successOf(id, isBodyOpen)]] : [];
  }),
) as Record<SuccessGapId, Observer>;
