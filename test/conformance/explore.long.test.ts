import { describe, expect, test } from 'vitest';
import { invalidBodies } from '../../conformance/suite/invalid-bodies.js';
import { schemas } from '../../conformance/suite/schemas.js';
import type { Fault } from '../../deviations/index.js';
import { type OperationId, operations } from '../../generated/operations.js';
import { requests } from '../../generated/validators.js';
import { checkInProcess } from '../../proof/in-process.js';
import { isHeldBack } from '../support/usual-run.js';

const withBody = ['execute', 'executeSync', 'updateProfile', 'duplicateProfile'] as const;

describe('wrong bodies', () => {
  test.each(withBody)('of %s are wrong by the contract, each in one thing', (operation) => {
    const bodies = invalidBodies(operation);
    expect(bodies.length).toBeGreaterThan(operation === 'duplicateProfile' ? 5 : 100);
    for (const { body, fault } of bodies) expect([fault, requests[operation](body)]).toEqual([fault, false]);
  });

  test('touch every field of every request, but those that the service gives itself, and a proxy of one’s own', () => {
    const given = ['cookiesToAdd', 'credentialsToAdd'].flatMap((list) => [`${list}.0.id`, `${list}.0.createdAt`]);
    given.push('customProxy');
    for (const name of given)
      expect(invalidBodies('updateProfile').map(({ fault }) => fault.split(' ')[0])).not.toContain(name);
    for (const operation of withBody)
      for (const { path } of schemas.requestFields(operation).filter(({ path }) => !given.includes(path.join('.'))))
        expect(invalidBodies(operation).map(({ fault }) => fault.split(' ')[0])).toContain(path.join('.'));
    expect(schemas.requestFields('executeSync').map(({ path }) => path.join('.'))).toEqual(
      expect.arrayContaining(['timeoutSeconds', 'executionOptions.softTimeoutMins', 'tempFiles.0.name', 'profileId']),
    );
  });

  test('include each bound by one', () => {
    const faults = invalidBodies('executeSync').map(({ fault }) => fault);
    expect(faults).toEqual(
      expect.arrayContaining(['timeoutSeconds 0', 'timeoutSeconds 26', 'executionOptions.softTimeoutMins 0']),
    );
  });
});

const exploration = { requests: 800, seed: 11 };
const explored = (faults: readonly Fault[] = []) => checkInProcess({ faults }, { explore: exploration });

test('on a healthy service nothing is found', async () => {
  const run = await explored();
  expect(run.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
  expect(run.remarks.filter((one) => !isHeldBack(one))).toEqual([
    'Explored 800 requests; --explore 800 --seed 11 repeats them.',
  ]);
  expect(run.evidence.exchanges.filter(({ mark }) => mark?.journey === 'explore').length).toBeGreaterThan(750);
});

/** Faults that no scripted request meets. */
const chokes = (id: string, on: (text: string) => boolean): Fault => ({
  id,
  breaks: ['no-server-errors'],
  says: 'fails on some bodies',
  behaviour: (base) => ({
    parseBody(bytes) {
      if (on(new TextDecoder().decode(bytes))) throw new Error('a bug of the service');
      return base.parseBody(bytes);
    },
  }),
});
const faulty: [what: string, fault: Fault, smallest: RegExp][] = [
  ['a key that many objects have', chokes('member', (text) => text.includes('"toString":')), /toString/],
  ['a body that is a number', chokes('number', (text) => /^-?\d/.test(text)), /^-?\d$/],
  [
    'nesting deeper than a stack',
    chokes('deep', (text) => text.includes('['.repeat(50))),
    /^\{"inputs":\[{50}\]{50}\}$/,
  ],
  ['markup', chokes('markup', (text) => text.includes('<script>')), /<script>/],
];

describe('on a service with a fault that no scripted request meets', () => {
  test.each(faulty)('%s is found, and the smallest request that shows it', async (_, fault, smallest) => {
    const scripted = await checkInProcess({ faults: [fault] });
    expect(scripted.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
    const run = await explored([fault]);
    const shown = run.evidence.exchanges.filter(({ mark }) => mark?.step === 'smallest');
    expect(shown.length).toBeGreaterThan(0);
    for (const { request, response } of shown) {
      expect(response?.status).toBe(500);
      const text =
        request.body.kind === 'json'
          ? JSON.stringify(request.body.value)
          : request.body.kind === 'not-json'
            ? request.body.text
            : '';
      expect(text).toMatch(smallest);
      expect(text.length).toBeLessThan(120);
    }
    expect(run.rules.find(({ id }) => id === 'no-server-errors')?.verdict).toBe('violated');
    expect(run.remarks.join('\n')).toContain('no-server-errors on');
  });

  test('the same seed finds the same', async () => {
    const fault = [chokes('text', (text) => text.startsWith('"'))];
    expect((await explored(fault)).remarks).toEqual((await explored(fault)).remarks);
  });
});

test('odd requests go to ids that nothing has, and none is accepted', async () => {
  const run = await explored();
  const all = run.evidence.exchanges.filter(({ mark }) => mark?.journey === 'explore');
  const odd = all.filter(({ mark }) => mark?.unjudged && mark.sequence === undefined);
  expect(odd.length).toBeGreaterThan(100);
  expect(odd.filter(({ response }) => (response?.status ?? 0) < 400)).toEqual([]);
  for (const { operation } of odd) expect(Object.keys(operations)).toContain(operation as OperationId);
});
