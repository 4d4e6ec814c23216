import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../../conformance/engine/outcome/outcome.js';
import { exchange, ids, type Sketch } from '../../../support/evidence.js';
import { copyThing, deleteThing } from '../../../support/made-up.js';
import { standardError, started, taken } from '../../../support/sketches.js';

const page = { kind: 'not-json', text: '<html>', error: 'e', bytes: 6 } as const;
const cut = { kind: 'not-json', text: '{"executionI', error: 'Unexpected end of JSON input', bytes: 12 } as const;
const refusal = (status: number, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'execute',
  status,
  body: { ...standardError, code: status },
  ...more,
});
const without = (status: number, more: Partial<Sketch> = {}): Sketch =>
  refusal(status, { body: { error: 'no' }, ...more });
const failed = (kind: 'broken' | 'timeout' | 'unreachable' | 'stopped'): Sketch => ({
  operation: 'execute',
  failure: { kind, message: 'It failed.' },
});
const copy = (more: Partial<Sketch>): Sketch => ({ operation: copyThing, ...more });
const probe = { rule: 'workflow-must-exist', fault: 'f', controls: [] } as const;

/** Sent by the suite, with the full key unless it says otherwise. */
const ours = (sketch: Sketch) => exchange({ ...sketch, mark: { ...sketch.mark } });

describe('the outcome of a request', () => {
  test.each<[string, Sketch, string, RegExp?]>([
    ['a success', taken, 'accepted'],
    [
      'a success that is a page',
      { ...taken, rawBody: page },
      'unknown',
      /202 with a body that is not JSON.*: this status says nothing about the request/,
    ],
    ['a success that was cut off', { ...taken, rawBody: cut }, 'unknown'],
    ['a success without a body', { operation: 'execute', status: 202 }, 'unknown'],
    ['a deletion without a body', { operation: deleteThing, status: 204 }, 'accepted'],
    ['a refusal', refusal(400), 'refused'],
    ['a refusal of an intermediary', without(400), 'refused'],
    ['a redirect, which misleads callers', refusal(302), 'refused'],
    ['an unknown key', refusal(401), 'temporary', /the service may not know the key at the moment/],
    ['a missing permission', refusal(403), 'temporary', /permission/],
    ['a conflict', refusal(409), 'temporary', /in use/],
    ['a limit', without(429), 'temporary', /a rate or capacity limit may be reached/],
    ['a body too long, by an intermediary', without(413), 'intermediary', /too large/],
    ['a body too long, by the service', refusal(413), 'refused'],
    ['an error of the service', refusal(500), 'refused'],
    ['a service out of order', refusal(503), 'temporary', /the service may be unavailable/],
    ['a gateway', without(502), 'intermediary', /the service may be unavailable/],
    ['a gateway with its own status', without(520), 'intermediary'],
    ['a connection that broke', failed('broken'), 'unknown', /There was no answer: It failed/],
    ['no connection', failed('unreachable'), 'unknown'],
  ])('%s', (_, sketch, kind, why) => {
    const outcome = outcomeOf(ours(sketch));
    expect(outcome.kind).toBe(kind);
    if (kind === 'accepted' || kind === 'refused') expect(outcome.why).toBeUndefined();
    else expect(outcome.why).toMatch(why ?? /./);
  });
});

test.each<[string, Sketch, string | undefined]>([
  ['as in the interface', taken, 'shown'],
  ['a success without its content', { ...taken, body: {} }, 'strange'],
  ['an error without an error body', without(404), 'strange'],
  ['an error of the service', refusal(500), 'shown'],
  ['a failure of an intermediary', without(500), 'lost'],
  ['no body, where one is required', { operation: 'execute', status: 202 }, 'empty'],
  ['no body, where none is required', { operation: deleteThing, status: 204 }, 'shown'],
  ['HTML', { operation: 'execute', status: 404, rawBody: page }, 'page'],
  ['the challenge of a firewall', { ...taken, headers: { 'cf-mitigated': 'challenge' } }, 'page'],
  ['JSON that ends too soon', { ...taken, rawBody: cut }, 'lost'],
  ['another place', refusal(307), 'redirect'],
  ['not modified, without a condition', { operation: 'getExecution', status: 304 }, 'shown'],
  ['a deadline', failed('timeout'), 'lost'],
  ['no connection', failed('unreachable'), 'unsent'],
  ['a run that was stopped', failed('stopped'), 'unheard'],
])('the form of an answer: %s', (_, sketch, form) => {
  expect(outcomeOf(ours(sketch)).form).toBe(form);
});

const odd = { mark: { unjudged: true } } as const;
const sentJson = { sent: { inputs: {} } };
test.each<[string, Sketch, string | undefined]>([
  ['a success', taken, 'service'],
  ['a missing permission', refusal(403), 'service'],
  ['403 and a page', { ...refusal(403), body: undefined, rawBody: page }, 'firewall'],
  ['408 and a page', { ...refusal(408), body: undefined, rawBody: page }, 'firewall'],
  ['408 with an error body of the service', refusal(408), 'service'],
  ['403 of an intermediary, to an odd request', without(403, { ...odd, ...sentJson }), 'firewall'],
  ['403 with an error body of the service, to an odd request', refusal(403, { ...odd, ...sentJson }), 'service'],
  ['406 to an odd request', without(406, { ...odd, ...sentJson }), 'firewall'],
  [
    '403 and a page, to a restricted key',
    { ...refusal(403), rawBody: page, mark: { credential: 'restricted' } },
    'service',
  ],
  ['a limit', refusal(429), 'limit'],
  ['a body too long', refusal(413), 'limit'],
  ['a gateway, with any body', refusal(502), 'gateway'],
  ['a page for a malformed id', { operation: 'getExecution', resource: 'x', status: 404, rawBody: page }, 'either'],
  [
    'other words for a malformed id',
    { operation: 'getExecution', resource: 'x', status: 400, body: { error: 'x' } },
    'either',
  ],
  ['no answer', failed('broken'), undefined],
])('the sender of an answer: %s', (_, sketch, by) => {
  const outcome = outcomeOf(ours(sketch));
  expect(outcome.by).toBe(by);
  expect(outcome.own !== undefined).toBe(by === 'service' || by === 'either');
  expect(outcome.bound !== undefined).toBe(by === 'service');
});

test.each([
  [403, 'firewall'],
  [408, 'firewall'],
  [404, 'service'],
])('the sender of a page with %i, for an unknown key: %s', (status, by) => {
  expect(outcomeOf(exchange({ ...refusal(status), rawBody: page })).by).toBe(by);
});

test('an answer to a request of no operation is not bound by the interface', () => {
  expect(outcomeOf(exchange({ operation: null, status: 405, body: {} })).own).toBeUndefined();
});

test.each<[string, Sketch, string | undefined]>([
  ['a start that is accepted', taken, 'known'],
  ['a start that is accepted without an id', { ...taken, body: {} }, 'maybe'],
  ['a start whose connection broke', failed('broken'), 'maybe'],
  ['a start that was not sent', failed('unreachable'), undefined],
  ['a start that is refused', refusal(400), undefined],
  ['a start after which a gateway gave up', without(504), 'maybe'],
  ['a start that took too long', without(408), 'maybe'],
  ['a start without capacity', refusal(503), undefined],
  ['a start that fails in the service', refusal(500), 'maybe'],
  ['an odd start that fails in the service', refusal(500, odd), undefined],
  ['a start that must be refused', { ...failed('broken'), mark: { probe } }, undefined],
  ['a start with a wrong key', { ...failed('broken'), mark: { credential: 'invalid' } }, undefined],
  ['a start that is accepted with a page', { ...taken, body: undefined, rawBody: page }, undefined],
  ['a reading', { operation: 'getExecution', status: 200, body: started }, undefined],
  ['a copy', copy({ status: 200, body: { id: ids.execution } }), 'known'],
  ['a copy after which a gateway gave up', copy({ status: 504, body: {} }), 'maybe'],
  ['a wrong body for a copy', copy({ status: 504, body: {}, sent: { organizationId: 5 } }), undefined],
])('whether a request made something: %s', (_, sketch, made) => {
  expect(outcomeOf(ours(sketch)).made).toBe(made);
});

const notFound: Sketch = { operation: 'getExecution', status: 404, body: standardError };
test.each<[string, Sketch, string | undefined]>([
  ['the full key, refused', refusal(403), 'turned away'],
  ['a restricted key, refused', refusal(403, { mark: { credential: 'restricted' } }), undefined],
  ['an unknown restricted key', refusal(401, { mark: { credential: 'restricted' } }), 'turned away'],
  ['an unknown wrong key', refusal(401, { mark: { credential: 'invalid' } }), undefined],
  ['a wrong key with a rate limit', refusal(420, { mark: { credential: 'invalid' } }), 'turned away'],
  ['an existing resource, not found', notFound, 'not found'],
  ['a missing resource, not found', { ...notFound, mark: { probe } }, undefined],
  ['more than a wrong key may learn', { ...notFound, mark: { probe, credential: 'invalid' } }, 'not found'],
  ['an odd request, not found', { ...notFound, ...odd }, undefined],
])('an unexpected answer: %s', (_, sketch, unexpected) => {
  expect(outcomeOf(ours(sketch)).unexpected).toBe(unexpected);
});

test.each<[string, Sketch, boolean]>([
  ['403 of an intermediary', without(403), true],
  ['403 with an error body of the service', refusal(403), false],
  ['400 of an intermediary, to a valid request', without(400, { sent: { inputs: {} } }), true],
  ['400 of an intermediary, to a wrong request', without(400, { sent: { version: 'x' } }), false],
  ['a page', { operation: 'execute', status: 404, rawBody: page }, true],
  ['a page that reports an outage', { operation: 'execute', status: 502, rawBody: page }, false],
  ['a connection that broke', failed('broken'), true],
  ['a deadline', failed('timeout'), false],
])('a request that did not reach the service: %s', (_, sketch, isBarred) => {
  expect(outcomeOf(ours(sketch)).isBarred).toBe(isBarred);
});
