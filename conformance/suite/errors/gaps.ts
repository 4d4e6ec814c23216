/** Observes what answers contain where the interface does not say. */
import type { OperationId } from '../../../generated/operations.js';
import type { GapId } from '../../../generated/rules.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import { answerBody, type Fields, isFields, objectIn, refused, requestBody } from '../../engine/outcome/read.js';
import { successfulReadings } from '../../engine/outcome/readings.js';
import { observed, withoutIdentifiers } from '../../engine/rule/observing.js';
import { listOf } from '../../engine/rule/values.js';
import { shorten } from '../../engine/rule/words.js';
import type { Evidence, Observer } from '../../engine/vocabulary.js';

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

export const bodyGaps = {
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
