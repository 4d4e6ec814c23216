import { expect, test } from 'vitest';
import type { RequestSpec } from '../../../../../conformance/engine/send/request-spec.js';
import { isSafe, pauseBefore } from '../../../../../conformance/engine/send/retry.js';
import type { Exchange, Response } from '../../../../../conformance/engine/vocabulary.js';
import { copyThing, deleteThing } from '../../../../support/made-up.js';

const read: RequestSpec = { step: 's', operation: 'getExecution', id: 'x' };
const start: RequestSpec = { step: 's', operation: 'execute', id: 'x', body: {} };
const update = (body: unknown): RequestSpec => ({ step: 's', operation: 'updateProfile', id: 'x', body });
const oddStart: RequestSpec = { ...start, raw: { text: '{', type: 'application/json' }, unjudged: true };
const probe = { rule: 'workflow-must-exist', fault: 'f', controls: [] } as const;

test.each([
  ['a reading', read, true],
  ['a start', start, false],
  ['a start that must be refused', { ...start, probe }, true],
  ['a start without a key', { ...start, credential: 'none' }, true],
  ['a change', update({ description: 'a' }), false],
  ['an update without changes', update({ cookiesToAdd: [] }), true],
  ['an update with errors', { ...update({ name: 5 }), unjudged: true }, true],
  ['a body that is not JSON', { ...start, raw: { text: '{', type: 'application/json' } }, true],
  ['a duplication', { ...start, operation: copyThing }, false],
  ['a deletion', { ...start, operation: deleteThing }, false],
] as [string, RequestSpec, boolean][])('%s: whether a repetition is safe', (_, ask, safe) => {
  expect(isSafe(ask)).toBe(safe);
});

const now = Date.parse('2026-01-01T00:00:00Z');
const answered = (status: number, headers: Record<string, string> = {}, body?: unknown): Partial<Exchange> => ({
  response: {
    status,
    headers,
    repeatsKey: false,
    body:
      typeof body === 'string'
        ? { kind: 'not-json', text: body, error: 'e', bytes: body.length }
        : { kind: 'json', value: body ?? {}, bytes: 2 },
  } satisfies Response,
});
const cut: Partial<Exchange> = {
  response: {
    status: 200,
    headers: {},
    repeatsKey: false,
    body: { kind: 'not-json', text: '{"id": "a", ', error: 'Unexpected end of JSON input', bytes: 12 },
  },
};
const empty = (status: number): Partial<Exchange> => ({
  response: { status, headers: {}, repeatsKey: false, body: { kind: 'none' } },
});
const failed = (kind: 'broken' | 'timeout' | 'tls'): Partial<Exchange> => ({ failure: { kind, message: 'm' } });
const ahead = { 'retry-after': 'Thu, 01 Jan 2026 00:10:03 GMT', date: 'Thu, 01 Jan 2026 00:10:00 GMT' };
const left = { 'x-ratelimit-remaining': '999', 'x-ratelimit-reset': '60' };
const standing = { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT', date: 'Thu, 01 Jan 1970 00:00:00 GMT' };
const page = '<html>';
const error = { code: 503, message: 'm' };

const bare: RequestSpec = { ...update({}), credential: 'none' };
const sentWith = (credential: 'none' | 'primary') => ({ mark: { scenario: 'a', step: 's', credential } });

test.each([
  ['a lost reading', failed('broken'), read, 0, 50],
  [
    'a wrong key for something in use',
    { ...answered(409, {}, { code: 409, message: 'm' }), ...sentWith('none') },
    bare,
    0,
    200,
  ],
  [
    'a wrong key that is refused',
    { ...answered(401, {}, { code: 401, message: 'm' }), ...sentWith('none') },
    bare,
    0,
    undefined,
  ],
  [
    'something in use',
    { ...answered(409, {}, { code: 409, message: 'm' }), ...sentWith('primary') },
    update({ cookiesToAdd: [] }),
    0,
    undefined,
  ],
  ['a reading that is lost for the fifth time', failed('broken'), read, 4, 800],
  ['an odd start that is lost', failed('broken'), oddStart, 0, 200],
  ['one that is lost twice', failed('broken'), oddStart, 1, undefined],
  ['a limit with the time of its end', answered(429, { 'x-ratelimit-reset': `${now / 1000 + 30}` }), read, 0, 30_000],
  ['a limit with the seconds to its end', answered(429, { 'ratelimit-reset': '7' }), start, 0, 7000],
  ['a limit with some requests left', answered(429, left), start, 9, undefined],
  [
    'a limit with no requests left',
    answered(429, { 'ratelimit-remaining': '0', 'ratelimit-reset': '7' }),
    start,
    0,
    7000,
  ],
  ['a limit without a time, after many answers', answered(429), read, 9, 5000],
  ['a start at a limit without a time, after many answers', answered(429), start, 9, undefined],
  ['a long outage behind a gateway', answered(502, {}, page), read, 10, 5000],
  ['an outage behind a gateway that does not end', answered(502, {}, page), read, 11, undefined],
  ['a 304 without a condition', answered(304), read, 0, undefined],
  ['one that was lost before', failed('broken'), read, 2, 200],
  ['one that was lost often', failed('broken'), read, 7, undefined],
  ['a reading without an answer in time, once', failed('timeout'), read, 1, undefined],
  ['no TLS, before the request was sent', failed('tls'), start, 0, 200],
  ['no TLS, after several attempts', failed('tls'), read, 2, undefined],
  ['a lost start', failed('broken'), start, 0, undefined],
  ['a lost deletion: the resource stays deleted', failed('broken'), { ...start, operation: deleteThing }, 0, 50],
  ['a lost duplication: one more copy is reported', failed('broken'), { ...start, operation: copyThing }, 0, 50],
  ['truncated JSON', cut, read, 0, 50],
  ['a page as an answer about a limit', answered(403, {}, page), { ...start, probe, mayBeOverLimit: true }, 0, 20],
  ['a page of a gateway', answered(502, {}, page), read, 0, 50],
  ['a page of a firewall', answered(403, {}, page), read, 0, 200],
  ['the same page of a firewall repeatedly', answered(403, {}, page), read, 3, undefined],
  ['a gateway with its own error body', answered(503, {}, { message: 'm' }), read, 0, 50],
  ['the body of the contract', answered(503, {}, error), read, 0, 200],
  ['an error of the service', answered(500, {}, error), read, 1, 400],
  ['an error of the service that stays', answered(500, {}, error), read, 2, undefined],
  ['a service that names the time of its return', answered(503, { 'retry-after': '3' }, error), read, 5, 5000],
  ['a service that names a later time of its return', answered(503, { 'retry-after': '7' }, error), read, 5, 7000],
  ['a service that announces its return too often', answered(503, { 'retry-after': '1' }, error), read, 11, undefined],
  ['a service that is away, without a time', answered(503, {}, error), read, 2, undefined],
  ['an error of the service to a start', answered(500, {}, error), start, 0, undefined],
  ['a page of maintenance', answered(200, {}, page), read, 0, 50],
  ['the same page of maintenance repeatedly', answered(200, {}, page), read, 6, 3200],
  ['a page of maintenance, to a start', answered(200, {}, page), start, 0, undefined],
  ['a redirect', answered(302, { location: 'l' }), read, 0, 50],
  ['a success without its content', answered(200, {}, { maintenance: true }), read, 0, 200],
  ['an empty success', empty(200), read, 0, 50],
  ['a deletion without a body', empty(200), { ...start, operation: deleteThing }, 0, undefined],
  ['a refusal of an intermediary', answered(404, {}, { message: 'm' }), start, 0, 200],
  ['a permanent refusal of an intermediary', answered(404, {}, { message: 'm' }), start, 3, undefined],
  ['a failure of an intermediary, to a start', answered(500, {}, { message: 'm' }), start, 0, undefined],
  ['a limit until a date of a stopped clock', answered(429, standing), read, 0, 3000],
  ['a gateway with a time', answered(503, { 'retry-after': '3' }, page), read, 0, 3000],
  ['a limit, of a start too', answered(429, { 'retry-after': '2' }), start, 0, 2000],
  ['a limit until a date by the clock of the service', answered(429, ahead), start, 0, 3000],
  ['a limit without an end', answered(429), start, 1, 2000],
  ['a limit that ends at once, the third time', answered(429, { 'retry-after': '0' }), start, 2, 400],
  ['a limit that may be one of capacity', answered(429), { ...start, mayBeAtCapacity: true }, 0, undefined],
  [
    'a limit that the step tests',
    answered(429, { 'retry-after': '2' }),
    { ...start, mayBeOverLimit: true },
    0,
    undefined,
  ],
] as [string, Partial<Exchange>, RequestSpec, number, number | undefined][])(
  'when a request is repeated: %s',
  (_, exchange, ask, attempt, pause) => {
    const asked = { operation: ask.operation, resource: null, request: { body: { kind: 'none' } } };
    expect(pauseBefore({ ...asked, ...exchange } as Exchange, ask, attempt, now)).toBe(pause);
  },
);
