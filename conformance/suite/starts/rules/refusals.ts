/** Requests with one fault that must be refused, and the bounds of soft timeouts, whose valid side is tested too. */
import { requests } from '../../../../generated/validators.js';
import { accepted, isFields, objectIn, requestBody, requestFields } from '../../../engine/outcome/read.js';
import { type Bound, bounded, refusal } from '../../../engine/rule/probes.js';
import { jsonText } from '../../../engine/rule/values.js';
import type { Exchange, Facts, Judges } from '../../../engine/vocabulary.js';
import { leastSoftTimeoutMins } from '../../operations.js';
import { asksOnlyAccepted, namesOnlyOtherFields } from '../asked.js';

/** Whether a request has a field. Null may count as absent: that is not shown. */
const has = (exchange: Exchange, field: string) => (requestBody(exchange)?.[field] ?? undefined) !== undefined;

const variantKey = (exchange: Exchange): unknown =>
  objectIn(requestBody(exchange), 'executionOptions').variantKey ?? undefined;

const typeKeywords = new Set(['type', 'format', 'enum', 'required']);

/** Describes a field of the wrong type or outside its enumeration. Other rules judge bounds and exclusivity. */
function mistyped(exchange: Exchange): string | undefined {
  const { body } = exchange.request;
  if (body.kind === 'none') return undefined;
  if (body.kind === 'not-json') return 'malformed JSON';
  if (!isFields(body.value)) return 'a body that is no object';
  // sync-timeout-is-integer judges timeoutSeconds. Whether null counts as absent is not shown.
  const fields = Object.entries(body.value).filter(([name, value]) => name !== 'timeoutSeconds' && value !== null);
  const validator = requests[exchange.operation as keyof typeof requests];
  if (validator(Object.fromEntries(fields))) return undefined;
  const error = validator.errors?.find(({ keyword }) => typeKeywords.has(keyword));
  return error && `${error.instancePath} that is not of its type`;
}

const isVariantMode = ({ resource }: Exchange, { workflows }: Facts) =>
  resource !== null && workflows.variantMode === resource;
const isPlain = (exchange: Exchange, facts: Facts) =>
  !isVariantMode(exchange, facts) && Object.values(facts.workflows).some((id) => id === exchange.resource);

export const refusals = {
  // interface: Errors rule 3
  'head-excludes-version': refusal('head-excludes-version', (exchange) =>
    requestFields(exchange).head === true && has(exchange, 'version') ? 'head together with version' : undefined,
  ),
  'profile-excludes-group': refusal('profile-excludes-group', (exchange) =>
    has(exchange, 'profileId') && has(exchange, 'profileGroupId')
      ? 'profileId together with profileGroupId'
      : undefined,
  ),

  // interface: Execution options; Errors rule 5
  'variant-key-is-required': refusal('variant-key-is-required', (exchange, facts) =>
    isVariantMode(exchange, facts) && variantKey(exchange) === undefined
      ? 'no variantKey on a workflow in variant mode'
      : undefined,
  ),
  'variant-key-needs-variant-mode': refusal('variant-key-needs-variant-mode', (exchange, facts) =>
    isPlain(exchange, facts) && typeof variantKey(exchange) === 'string'
      ? 'variantKey on a workflow without variant mode'
      : undefined,
  ),

  // interface: Limits
  'sync-timeout-is-integer': refusal('sync-timeout-is-integer', (exchange) => {
    const seconds = requestFields(exchange).timeoutSeconds ?? undefined;
    return seconds === undefined || Number.isInteger(seconds) ? undefined : `timeoutSeconds ${jsonText(seconds)}`;
  }),

  // interface: POST execute
  'temp-files-must-exist': refusal('temp-files-must-exist'),
  'version-must-exist': refusal('version-must-exist'),
  'workflow-must-exist': refusal('workflow-must-exist'),
  'execute-profile-must-exist': refusal('execute-profile-must-exist'),
  'execute-body-is-typed': refusal('execute-body-is-typed', mistyped),

  // interface: PATCH agent-profiles; POST duplicate
  'update-body-is-typed': refusal('update-body-is-typed', mistyped),
  'other-bodies-are-typed': refusal('other-bodies-are-typed', mistyped),
  'duplicate-into-unknown-organization': refusal('duplicate-into-unknown-organization'),

  // interface: Limits, softTimeoutMins
  'soft-timeout-minimum': bounded(
    'soft-timeout-minimum',
    (exchange) => {
      const minutes = softTimeout(exchange);
      return typeof minutes === 'number' && minutes < 1 ? `softTimeoutMins ${minutes}` : undefined;
    },
    // An agent with a hard timeout of one minute would refuse it, so the hard timeout must be declared.
    (ours, { agentHardTimeoutMins: hard }) => (hard === undefined ? [] : [softTimeoutOf(leastSoftTimeoutMins, ours)]),
  ),

  'soft-timeout-below-hard-timeout': bounded(
    'soft-timeout-below-hard-timeout',
    () => undefined,
    (ours, { agentHardTimeoutMins: hard }) => (hard === undefined ? [] : [softTimeoutOf(hard - 1, ours)]),
  ),
} satisfies Judges;

const softTimeout = (exchange: Exchange): unknown =>
  objectIn(requestBody(exchange), 'executionOptions').softTimeoutMins;

/** A soft timeout that must be accepted. A refusal counts if the start asks for nothing else that may be refused. */
const softTimeoutOf = (minutes: number, ours: readonly Exchange[]): Bound => ({
  value: `softTimeoutMins ${minutes}`,
  tries: ours.filter((one) => softTimeout(one) === minutes),
  beside: (refused) =>
    asksOnlyAccepted(refused, ['executionOptions'], ours) && !namesOnlyOtherFields(refused, ['executionOptions'])
      ? ours.find((one) => accepted(one) && one.resource === refused.resource)
      : undefined,
});
