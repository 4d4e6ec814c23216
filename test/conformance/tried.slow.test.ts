import { describe, expect, test } from 'vitest';
import { addressOf } from '../../conformance/engine/http/address.js';
import type { WireRequest } from '../../conformance/engine/http/transport.js';
import { isFields } from '../../conformance/engine/outcome/read.js';
import { executionStatuses } from '../../generated/lifecycle.js';
import { type OperationId, operationIds, operations } from '../../generated/operations.js';
import { checkInProcess } from '../../proof/in-process.js';
import { kindsOf, wordsOf } from '../support/request-values.js';
import { usualTarget } from '../support/usual-run.js';

interface Tried {
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: readonly string[];
  readonly said: unknown;
  readonly answered: number;
  readonly shown: unknown;
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
async function sentWith(budget?: { executions: number }) {
  const sent = new Map<OperationId | undefined, Tried[]>();
  await checkInProcess({}, { target: usualTarget(budget && { budget }) }, (service) => async (request) => {
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
      answered: answer.status,
      shown: read(new TextDecoder().decode(answer.bytes)),
      accepted: answer.status < 300,
    };
    sent.set(operation, [...(sent.get(operation) ?? []), one]);
    return answer;
  });
  return sent;
}

const tried = await sentWith();

/** Why the suite sends none of these that the reference service accepts. */
const untried: Readonly<Record<string, string>> = {
  'captchaSolverActive: boolean': 'for managed proxies only, and the profile has none',
  'tracingEnabled: boolean': 'for admins only',
  'proxyGatewayPresetId: string': 'no preset is known',
  'cookiesToAdd.*.createdAt: string': 'the service gives it',
  'credentialsToAdd.*.createdAt: string': 'the service gives it',
  'credentialsToAdd.*.id: string': 'the service gives it',
};

/** As a service sees it that ignores a parameter of the query, or a header. */
function without(request: WireRequest, name: string): WireRequest {
  const url = new URL(request.url);
  url.searchParams.delete(name);
  const headers = Object.entries(request.headers).filter(([header]) => header.toLowerCase() !== name.toLowerCase());
  return { ...request, url: url.href, headers: Object.fromEntries(headers) };
}

/** But for those of a service that fails. */
const statusesOf = (id: OperationId): string[] =>
  Object.keys(operations[id].responses).filter((status) => /^[1-4]\d\d$/.test(status));

describe.each(operationIds)('%s: nothing that a request may have goes untried:', (id) => {
  const sent = tried.get(id) ?? [];
  const { requestFields, queryParameters, headerParameters, exclusive } = operations[id];

  test('it is accepted', () => expect(sent.some(({ accepted }) => accepted)).toBe(true));

  test.each(statusesOf(id))('the status %s of its answer', (status) =>
    expect(sent.some(({ answered }) => `${answered}` === status)).toBe(true),
  );

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

  test.each(wordsOf(id))('$name of the $place with the word $word', ({ place, name, word }) =>
    expect(
      sent.some(({ query, headers, accepted }) => {
        const values = place === 'query' ? query.getAll(name) : [headers[name.toLowerCase()] ?? ''];
        return accepted && values.some((value) => value.split(/, ?/).includes(word));
      }),
    ).toBe(true),
  );

  // Nothing but a rule says what it does.
  test.each<{ readonly name: string }>([...queryParameters, ...headerParameters])(
    'a service that takes $name and ignores it',
    async ({ name }) => {
      const { rules } = await checkInProcess(
        {},
        {},
        (service) => (request) =>
          service(addressOf(request.method, request.url)?.operation === id ? without(request, name) : request),
      );
      expect(rules.filter(({ verdict }) => verdict === 'violated')).not.toEqual([]);
    },
  );

  test.each<readonly [string, string]>(exclusive)('%s together with %s', (one, other) =>
    expect(sent.some(({ accepted, fields }) => [one, other].every((name) => fields.includes(name)) && !accepted)).toBe(
      true,
    ),
  );
});

// Where executions stop is seen by a larger budget alone.
const more = await sentWith({ executions: 60 });

test.each(executionStatuses)('an execution that is %s is read', (status) =>
  expect(more.get('getExecution')?.some(({ shown }) => isFields(shown) && shown.status === status)).toBe(true),
);
