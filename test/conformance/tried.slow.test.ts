import { describe, expect, test } from 'vitest';
import { addressOf } from '../../conformance/engine/http/address.js';
import { type OperationId, operationIds, operations } from '../../generated/operations.js';
import { checkInProcess } from '../../proof/in-process.js';
import { kindsOf } from '../support/request-values.js';

interface Tried {
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: readonly string[];
  readonly said: unknown;
  readonly accepted: boolean;
}

const read = (body = '{}'): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** All that the suite sends to the reference service, by what it asks for. */
const tried = new Map<OperationId | undefined, Tried[]>();
await checkInProcess({}, {}, (service) => async (request) => {
  const answer = await service(request);
  const { method, url, headers, body } = request;
  const operation = addressOf(method, url)?.operation;
  const query = new URL(url).searchParams;
  const said = read(body);
  const one = {
    query,
    headers,
    fields: Object.keys(said ?? {}),
    said,
    accepted: answer.status < 300,
  };
  tried.set(operation, [...(tried.get(operation) ?? []), one]);
  return answer;
});

/** Why the suite sends none of these that the reference service accepts. */
const untried: Readonly<Record<string, string>> = {
  'captchaSolverActive: boolean': 'for managed proxies only, and the profile has none',
  'tracingEnabled: boolean': 'for admins only',
  'proxyGatewayPresetId: string': 'no preset is known',
  'cookiesToAdd.*.createdAt: string': 'the service gives it',
  'credentialsToAdd.*.createdAt: string': 'the service gives it',
  'credentialsToAdd.*.id: string': 'the service gives it',
};

describe.each(operationIds)('%s: nothing that a request may have goes untried:', (id) => {
  const sent = tried.get(id) ?? [];
  const { requestFields, queryParameters, headerParameters, exclusive } = operations[id];

  test('it is accepted', () => expect(sent.some(({ accepted }) => accepted)).toBe(true));

  test.each(requestFields)('the field %s', (field) =>
    expect(sent.some(({ fields }) => fields.includes(field))).toBe(true),
  );

  // Two operations take the same start.
  const all = [...tried.values()].flat();
  test.each(kindsOf(id))('the value $says', ({ says, isIn }) =>
    expect(all.some(({ accepted, said }) => accepted && isIn(said))).toBe(!(says in untried)),
  );

  test.each<{ readonly name: string }>(queryParameters)('the parameter $name of the query', ({ name }) =>
    expect(sent.some(({ query, accepted }) => query.has(name) && accepted)).toBe(true),
  );

  test.each<{ readonly name: string }>(headerParameters)('the header $name', ({ name }) =>
    expect(sent.some(({ headers, accepted }) => accepted && name.toLowerCase() in headers)).toBe(true),
  );

  test.each(exclusive)('%s together with %s', (one, other) =>
    expect(sent.some(({ accepted, fields }) => [one, other].every((name) => fields.includes(name)) && !accepted)).toBe(
      true,
    ),
  );
});
