import { describe, expect, test } from 'vitest';
import { answerBody, isFields, requestBody } from '../../conformance/engine/outcome/read.js';
import { executionStatuses } from '../../generated/lifecycle.js';
import { type Operation, type OperationId, operationIds, operations } from '../../generated/operations.js';
import { lasting } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';
import { ignoringField, ignoringParameter, withoutPath } from '../../scripts/tried/services.js';
import { kindsOf, wordsOf } from '../support/request-values.js';
import { usualRun } from '../support/usual-run.js';

interface Tried {
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: readonly string[];
  readonly said: unknown;
  readonly answered: number;
  readonly shown: unknown;
  readonly accepted: boolean;
}

/** All that the suite sends to the reference service, by what it asks for. */
function triedIn({ evidence }: Awaited<ReturnType<typeof usualRun>>): Map<OperationId | null, Tried[]> {
  const tried = new Map<OperationId | null, Tried[]>();
  for (const exchange of evidence.exchanges) {
    const { operation, request } = exchange;
    const { status: answered = 0 } = exchange.response ?? {};
    const said = requestBody(exchange);
    const one = {
      query: new URL(request.url).searchParams,
      headers: request.headers,
      fields: Object.keys(said ?? {}),
      said,
      answered,
      shown: answerBody(exchange),
      accepted: answered < 300,
    };
    tried.set(operation, [...(tried.get(operation) ?? []), one]);
  }
  return tried;
}
const tried = triedIn(await usualRun());

/** Why the suite sends none of these that the reference service accepts. */
const untried: Readonly<Record<string, string>> = {
  'captchaSolverActive: boolean': 'for managed proxies only, and the profile has none',
  'tracingEnabled: boolean': 'for admins only',
  'proxyGatewayPresetId: string': 'no preset is known',
  'cookiesToAdd.*.createdAt: string': 'the service gives it',
  'credentialsToAdd.*.createdAt: string': 'the service gives it',
  'credentialsToAdd.*.id: string': 'the service gives it',
};

/** But for those of a service that fails. */
const statusesOf = (id: OperationId): string[] =>
  Object.keys(operations[id].responses).filter((status) => /^[1-4]\d\d$/.test(status));

describe.each(operationIds)('%s: every part of a request is tried:', (id) => {
  const own = tried.get(id) ?? [];
  const { requestFields, queryParameters, exclusive, requestTypes, waits, path, otherPaths }: Operation =
    operations[id];

  test('an accepted request', () => expect(own.some(({ accepted }) => accepted)).toBe(true));

  test.each(statusesOf(id))('the status %s of its answer', (status) =>
    expect(own.some(({ answered }) => `${answered}` === status)).toBe(true),
  );

  test.each(requestTypes)('the media type %s of its request', (type) =>
    expect(own.some(({ accepted, headers }) => accepted && headers['content-type']?.split(';')[0] === type)).toBe(true),
  );

  test.each(requestFields)('the field %s', (field) =>
    expect(own.some(({ fields }) => fields.includes(field))).toBe(true),
  );

  // Two operations take the same start.
  const all = [...tried.values()].flat();
  test.each(kindsOf(id))('the value $says', ({ says, isIn }) =>
    expect(all.some(({ accepted, said }) => accepted && isIn(said))).toBe(!(says in untried)),
  );

  test.each<{ readonly name: string }>(queryParameters)('the parameter $name of the query', ({ name }) =>
    expect(own.some(({ query, accepted }) => query.has(name) && accepted)).toBe(true),
  );

  test.each(wordsOf(id))('$name of the query with the word $word', ({ name, word }) =>
    expect(own.some(({ query, accepted }) => accepted && query.getAll(name).includes(word))).toBe(true),
  );

  // Nothing but a rule says what it does.
  test.each<{ readonly name: string }>(queryParameters)(
    'a service that accepts $name and ignores it',
    async ({ name }) => {
      // How long an answer waits shows where executions take longer.
      const faults = waits?.name === name ? [lasting(1)] : [];
      const { rules } = await checkInProcess({ faults }, {}, ignoringParameter(id, name));
      expect(rules.filter(({ verdict }) => verdict === 'violated')).not.toEqual([]);
    },
  );

  test.each(otherPaths.length > 0 ? [path, ...otherPaths] : [])(
    'a service that does not have the path %s',
    async (one) => {
      const { rules } = await checkInProcess({}, {}, withoutPath(one));
      expect(rules.filter(({ verdict }) => verdict === 'violated')).not.toEqual([]);
    },
  );

  // Nor does anything else say that two fields exclude each other.
  test.each<readonly [string, string]>(exclusive)('a service that accepts %s together with %s', async (one, other) => {
    const { rules } = await checkInProcess({}, {}, ignoringField(id, other, one));
    expect(rules.filter(({ verdict }) => verdict === 'violated')).not.toEqual([]);
  });
});

// Where executions stop is seen by a larger budget alone.
const more = triedIn(await usualRun({ budget: { executions: 60 } }));

test.each(executionStatuses)('an execution that is %s is read', (status) =>
  expect(more.get('getExecution')?.some(({ shown }) => isFields(shown) && shown.status === status)).toBe(true),
);
