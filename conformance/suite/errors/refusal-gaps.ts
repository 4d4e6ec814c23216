/** Observes with which status requests are refused, where the interface does not say. */
import type { GapId, RuleId } from '../../../generated/rules.js';
import { hasMalformedId } from '../../engine/outcome/ids.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import { accepted, refused, requestBody, status } from '../../engine/outcome/read.js';
import { observationsOf, observed, refusedWith, statusAndCode } from '../../engine/rule/observing.js';
import type { Exchange, Observer } from '../../engine/vocabulary.js';

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

export const refusalGaps = {
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
    'execute-profile-must-exist': (exchange) => (requestBody(exchange)?.profileGroupId ? 'profile group' : 'profile'),
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
        .filter(({ mark }) => !mark?.probe)
        .map((exchange) => (accepted(exchange) ? 'taken' : refusedWith(exchange))),
    ),
  'malformed-id-status': ({ exchanges }) =>
    observed(
      exchanges
        .filter(
          (exchange) =>
            exchange.operation?.startsWith('execute') === false && exchange.resource && hasMalformedId(exchange),
        )
        .filter((exchange) => outcomeOf(exchange).own && refused(exchange) && !exchange.mark?.excluded)
        .map((exchange) => `${exchange.operation}: ${status(exchange)}`),
    ),
  'unsupported-method': (evidence) =>
    observed(observationsOf(evidence, 'unsupported-method').map((one) => `${one.request.method}: ${status(one)}`)),
  'unsupported-media-type': (evidence) =>
    observed(observationsOf(evidence, 'unsupported-media-type').map((one) => `${one.operation}: ${status(one)}`)),
} satisfies { readonly [gap in GapId]?: Observer };
