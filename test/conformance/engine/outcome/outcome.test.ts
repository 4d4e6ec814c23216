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
const probe = { rule: 'workflow-must-exist', fault: 'f', twins: [] } as const;

/** Sent by the suite, with the full key unless it says otherwise. */
const ours = (sketch: Sketch) => exchange({ ...sketch, mark: { ...sketch.mark } });

describe('what an answer tells of a request', () => {
  test.each<[string, Sketch, string, RegExp?]>([
    ['a success', taken, 'accepted'],
    [
      'a success that is a page',
      { ...taken, rawBody: page },
      'unknown',
      /202 with a body that is not JSON.*: this status says nothing about the request/,
    ],
    ['a success that was cut off', { ...taken, rawBody: cut }, 'unknown'],
    ['a success with nothing in it', { operation: 'execute', status: 202 }, 'unknown'],
    ['a deletion that is answered with nothing', { operation: deleteThing, status: 204 }, 'accepted'],
    ['a refusal', refusal(400), 'refused'],
    ['a refusal in words of another', without(400), 'refused'],
    ['a redirect, which leads whoever calls astray', refusal(302), 'refused'],
    ['a key that is not known', refusal(401), 'temporary', /the service may not know the key at the moment/],
    ['a permission that is lacking', refusal(403), 'temporary', /permission/],
    ['a conflict', refusal(409), 'temporary', /in use/],
    ['a limit', without(429), 'temporary', /a rate or capacity limit may be reached/],
    ['a body that is too long for somebody', without(413), 'intermediary', /too large/],
    ['a body that is too long for the service', refusal(413), 'refused'],
    ['an error of the service', refusal(500), 'refused'],
    ['a service that is out of order', refusal(503), 'temporary', /the service may be unavailable/],
    ['a gateway', without(502), 'intermediary', /the service may be unavailable/],
    ['a gateway with a status of its own', without(520), 'intermediary'],
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
  ['as the interface has it', taken, 'shown'],
  ['a success without what it is for', { ...taken, body: {} }, 'strange'],
  ['an error without an error body', without(404), 'strange'],
  ['an error of the service', refusal(500), 'shown'],
  ['a failure in words of another', without(500), 'lost'],
  ['nothing, where something is due', { operation: 'execute', status: 202 }, 'empty'],
  ['nothing, where nothing is due', { operation: deleteThing, status: 204 }, 'shown'],
  ['HTML', { operation: 'execute', status: 404, rawBody: page }, 'page'],
  ['the challenge of a firewall', { ...taken, headers: { 'cf-mitigated': 'challenge' } }, 'page'],
  ['JSON that ends too soon', { ...taken, rawBody: cut }, 'lost'],
  ['another place', refusal(307), 'redirect'],
  ['not modified, which nobody asked', { operation: 'getExecution', status: 304 }, 'shown'],
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
  ['a permission that is lacking', refusal(403), 'service'],
  ['403 and a page', { ...refusal(403), body: undefined, rawBody: page }, 'firewall'],
  ['408 and a page', { ...refusal(408), body: undefined, rawBody: page }, 'firewall'],
  ['408 in words of the service', refusal(408), 'service'],
  ['403 in words of another, to what is odd', without(403, { ...odd, ...sentJson }), 'firewall'],
  ['403 in words of the service, to what is odd', refusal(403, { ...odd, ...sentJson }), 'service'],
  ['406 to what is odd', without(406, { ...odd, ...sentJson }), 'firewall'],
  [
    '403 and a page, to a restricted key',
    { ...refusal(403), rawBody: page, mark: { credential: 'restricted' } },
    'service',
  ],
  ['a limit', refusal(429), 'limit'],
  ['a body that is too long', refusal(413), 'limit'],
  ['a gateway, in whichever words', refusal(502), 'gateway'],
  ['a page for an id that is none', { operation: 'getExecution', resource: 'x', status: 404, rawBody: page }, 'either'],
  ['what whoever has no key is told as well', refusal(400, { mark: { answeredByGateway: true } }), 'either'],
  ['nobody', failed('broken'), undefined],
])('who answered: %s', (_, sketch, by) => {
  const outcome = outcomeOf(ours(sketch));
  expect(outcome.by).toBe(by);
  expect(outcome.own !== undefined).toBe(by === 'service' || by === 'either');
  expect(outcome.bound !== undefined).toBe(by === 'service');
});

test.each([
  [403, 'firewall'],
  [408, 'firewall'],
  [404, 'service'],
])('who answered with a page of %i, where nobody knows by which key: %s', (status, by) => {
  expect(outcomeOf(exchange({ ...refusal(status), rawBody: page })).by).toBe(by);
});

test('what is asked of no operation is no answer that the interface binds', () => {
  expect(outcomeOf(exchange({ operation: null, status: 405, body: {} })).own).toBeUndefined();
});

test.each<[string, Sketch, string | undefined]>([
  ['a start that is taken', taken, 'known'],
  ['a start that is taken without an id', { ...taken, body: {} }, 'maybe'],
  ['a start whose connection broke', failed('broken'), 'maybe'],
  ['a start that was not sent', failed('unreachable'), undefined],
  ['a start that is refused', refusal(400), undefined],
  ['a start that a gateway gave up', without(504), 'maybe'],
  ['a start that took too long', without(408), 'maybe'],
  ['a start for which there is no room', refusal(503), undefined],
  ['a start that the service failed at', refusal(500), 'maybe'],
  ['an odd start that the service failed at', refusal(500, odd), undefined],
  ['a start that is to be refused', { ...failed('broken'), mark: { probe } }, undefined],
  ['a start with a wrong key', { ...failed('broken'), mark: { credential: 'invalid' } }, undefined],
  ['a start that a page says is taken', { ...taken, body: undefined, rawBody: page }, undefined],
  ['a reading', { operation: 'getExecution', status: 200, body: started }, undefined],
  ['a copy', copy({ status: 200, body: { id: ids.execution } }), 'known'],
  ['a copy that a gateway gave up', copy({ status: 504, body: {} }), 'maybe'],
  ['a wrong body for a copy', copy({ status: 504, body: {}, sent: { organizationId: 5 } }), undefined],
])('what was made: %s', (_, sketch, made) => {
  expect(outcomeOf(ours(sketch)).made).toBe(made);
});

const notFound: Sketch = { operation: 'getExecution', status: 404, body: standardError };
test.each<[string, Sketch, string | undefined]>([
  ['the full key, refused', refusal(403), 'turned away'],
  ['a restricted key, refused', refusal(403, { mark: { credential: 'restricted' } }), undefined],
  ['a restricted key that is not known', refusal(401, { mark: { credential: 'restricted' } }), 'turned away'],
  ['a wrong key that is not known', refusal(401, { mark: { credential: 'invalid' } }), undefined],
  ['a wrong key that is asked to calm down', refusal(420, { mark: { credential: 'invalid' } }), 'turned away'],
  ['what is there, not found', notFound, 'not found'],
  ['what is not there, not found', { ...notFound, mark: { probe } }, undefined],
  ['what a wrong key was not to be told', { ...notFound, mark: { probe, credential: 'invalid' } }, 'not found'],
  ['what is odd, not found', { ...notFound, ...odd }, undefined],
])('what nobody expects: %s', (_, sketch, unexpected) => {
  expect(outcomeOf(ours(sketch)).unexpected).toBe(unexpected);
});

test.each<[string, Sketch, boolean]>([
  ['403 in words of another', without(403), true],
  ['403 in words of the service', refusal(403), false],
  ['400 in words of another, to what is right', without(400, { sent: { inputs: {} } }), true],
  ['400 in words of another, to what is wrong', without(400, { sent: { version: 'x' } }), false],
  ['a page', { operation: 'execute', status: 404, rawBody: page }, true],
  ['a page that tells of an outage', { operation: 'execute', status: 502, rawBody: page }, false],
  ['a connection that broke', failed('broken'), true],
  ['a deadline', failed('timeout'), false],
])('what was not let through: %s', (_, sketch, isBarred) => {
  expect(outcomeOf(ours(sketch)).isBarred).toBe(isBarred);
});
