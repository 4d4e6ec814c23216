import { accepted, type Fields, fieldNames, requestBody } from '../../engine/outcome/read.js';
import { compareTexts } from '../../engine/rule/violations.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import { allOrThrow, type Driver, type Scenario } from '../driver.js';
import { sendInvalidBodies, startsHardToStore } from '../errors/invalid.js';
import { isToQueue, roomField } from '../executions/view.js';
import { isAllowed } from '../invalid-bodies.js';
import { startsAtOnce } from '../operations.js';
import { alternativesOf, isEmptyOrDefault } from './asked.js';
import { refusedStarts } from './refused-starts.js';
import { briefly, marked, richBody, startOperations } from './requests.js';

/** Sends requests with one fault each, made from a start that was accepted. */
export const refusals = {
  id: 'refusals',
  sends: ['execute', 'executeSync', 'getExecution'],
  requests: 120,
  effect: 'execute',
  needs: ['workflows.completes'],
  after: ['start', 'start-sync'],
  stateless: true,
  steps: {
    'refuse-*-head-with-version*': ['head-excludes-version'],
    'refuse-*-profile-with-group-by-old-names': ['deprecated-fields-still-work'],
    'refuse-*-profile-with-group*': ['profile-excludes-group'],
    'refuse-*-unknown-temp-file*': ['temp-files-must-exist'],
    'refuse-*-unwanted-variant-key*': ['variant-key-needs-variant-mode'],
    'refuse-*-soft-timeout-text refuse-*-soft-timeout-fraction': ['execute-body-is-typed'],
    'refuse-*-soft-timeout-0* refuse-*-soft-timeout-below-0': ['soft-timeout-minimum'],
    'refuse-*-soft-timeout-*': ['soft-timeout-below-hard-timeout'],
    'refuse-*-unknown-version refuse-*-version-below-1': ['version-must-exist'],
    'refuse-*-unknown-profile*': ['execute-profile-must-exist'],
    'refuse-*-timeout-*': ['sync-timeout-range', 'sync-timeout-is-integer'],
    'refuse-*-wrong-*': [
      'execute-body-is-typed',
      'soft-timeout-minimum',
      'sync-timeout-range',
      'sync-timeout-is-integer',
    ],
    'refuse-*': ['execute-body-is-typed'],
  },
  async run(driver): Promise<void> {
    const id = driver.id(driver.facts.workflows.completes);
    await allOrThrow([
      ...startOperations.flatMap((operation) => sendInvalidBodies(driver, operation, id)),
      // If no start was accepted, a refusal tells nothing.
      ...startOperations
        .filter((operation) => driver.startsOf(operation, id).length > 0)
        .flatMap((operation) =>
          refusedStarts(driver, operation).map(({ rule, slug, fault, change, raw, alone: isAlone, observes }) => {
            const body = bodyOf(driver, operation, id, slug, change);
            const except = [...Object.keys(change ?? {}), 'timeoutSeconds', roomField];
            const sent = { ...(!isAlone && { ...body, ...briefly(operation) }), ...change };
            if (raw === undefined && rule === 'execute-body-is-typed' && isAllowed(operation, sent)) return undefined;
            return driver.probe(
              rule,
              fault,
              { except },
              {
                step: `refuse-${operation}-${slug}`,
                operation,
                id,
                ...(raw === undefined ? { body: sent } : asJson(raw)),
                ...(observes && { observes }),
              },
            );
          }),
        ),
    ]);
    // Last, because starts that are wrongly accepted may have used up the room of others.
    if (driver.mayStart('refusals/hard-to-keep')) await startsHardToStore(driver, id);
  },
} as const satisfies Scenario;

/**
 * What a refused start asks for besides its fault: the body of one of the two accepted starts that ask for most, because
 * some fields may hide a fault. Of one operation it is the one with a profile, of the other the one without.
 * Fields that exclude the changed one are left out.
 */
function bodyOf(driver: Driver, operation: Operation, id: string, slug: string, change: Fields = {}): Fields {
  const marks = marked(driver, `refuse-${operation}-${slug}`);
  const accepting = driver
    .startsOf(operation, id)
    .filter((one) => accepted(one) && requestBody(one))
    .map((one) => ({ step: one.mark?.step ?? '', body: requestBody(one) ?? {} }))
    .sort((a, b) => width(b.body) - width(a.body) || compareTexts(a.step, b.step));
  const isFirst = driver.constant(`base of ${slug}`).pick([true, false]) === startsAtOnce({ operation });
  const base = widest(accepting.map(({ body }) => body)).at(isFirst ? 0 : -1);
  const made = base ? { ...base, ...underTheNamesOf(base, marks) } : richBody(driver, `refuse-${operation}-${slug}`);
  const { timeoutSeconds: _, ...body } = made;
  return withoutExcluded(body, change);
}

/** Fields go by the names that they have there. */
const underTheNamesOf = (base: Fields, marks: Fields): Fields =>
  Object.fromEntries(
    Object.entries(marks).map(([field, value]) => [alternativesOf(field).find((name) => name in base) ?? field, value]),
  );

/** How much a body asks for. Defaults and empty values do not count. */
const width = (body: Fields): number => Object.values(body).filter((value) => !isEmptyOrDefault(value)).length;
/** The two that ask for most, one with a profile first; the same one twice if there is no other. */
const widest = ([first, other = first]: readonly Fields[]): readonly (Fields | undefined)[] =>
  other && hasProfile(other) ? [other, first] : [first, other];
const hasProfile = (body: Fields): boolean =>
  fieldNames({ operation: 'execute' }, 'profileId').some((name) => name in body);

function withoutExcluded(body: Fields, change: Fields): Fields {
  const excluded = Object.keys(change).flatMap(alternativesOf);
  // Temp files and the queue exclude each other, whichever of them is changed.
  const isOfFiles = 'tempFiles' in change;
  const isQueued = isToQueue(change);
  return Object.fromEntries(
    Object.entries(body).filter(
      ([field, value]) =>
        !excluded.includes(field) &&
        !(isQueued && field === 'tempFiles') &&
        !(isOfFiles && isToQueue({ [field]: value })),
    ),
  );
}

type Operation = (typeof startOperations)[number];

const asJson = (text: string): Pick<RequestSpec, 'raw'> => ({ raw: { text, type: 'application/json' } });
