import { describe, expect, test } from 'vitest';
import { smallerSequences, smallestSequence } from '../../../../conformance/suite/explore/shrink.js';
import { inWords, type Single, type Step, singles } from '../../../../conformance/suite/explore/steps.js';

const update = (profile: string, body: object, more: object = {}): Single => ({
  kind: 'update',
  profile,
  body: { ...body },
  ...more,
});
const name = update('copy 1', { name: 'n', description: 'd' });
const flag = update('copy 1', { inboxEmailPrefix: true, cookiesToAdd: [{ name: 'a' }, { name: 'b' }] });
const noise = (n: number): Step => update(`copy ${n}`, { description: `d${n}` });
const duplicate: Step = { kind: 'duplicate', profile: 'copy 1', as: 'copy 9' };

const fields = (step: Single) => (step.kind === 'update' ? Object.keys(step.body) : []);
const has = (steps: readonly Step[], profile: string, field: string) =>
  steps.flatMap(singles).some((one) => one.kind === 'update' && one.profile === profile && fields(one).includes(field));

const cases: [
  what: string,
  steps: readonly Step[],
  shows: (steps: readonly Step[]) => boolean,
  left: readonly string[],
][] = [
  [
    'one step of many',
    [...[2, 3, 4].map(noise), flag, ...[5, 6].map(noise)],
    (s) => has(s, 'copy 1', 'inboxEmailPrefix'),
    ['update copy 1: inboxEmailPrefix'],
  ],
  [
    'two steps in their order, far apart',
    [name, noise(2), noise(3), flag, noise(4)],
    (s) =>
      s.findIndex((one) => has([one], 'copy 1', 'name')) >= 0 &&
      s.findIndex((one) => has([one], 'copy 1', 'name')) <
        s.findIndex((one) => has([one], 'copy 1', 'inboxEmailPrefix')),
    ['update copy 1: name', 'update copy 1: inboxEmailPrefix'],
  ],
  [
    'steps on several things',
    [name, noise(2), duplicate, noise(3)],
    (s) => has(s, 'copy 1', 'name') && s.includes(duplicate),
    ['update copy 1: name', 'duplicate copy 1 as copy 9'],
  ],
  [
    'steps at the same time that show it one by one',
    [{ kind: 'together', steps: [name, flag] }],
    (s) => has(s, 'copy 1', 'name'),
    ['update copy 1: name'],
  ],
  [
    'steps that show it only at the same time',
    [noise(2), { kind: 'together', steps: [name, flag, noise(3) as Single] }],
    (s) =>
      s.some(
        (one) => one.kind === 'together' && has([one], 'copy 1', 'name') && has([one], 'copy 1', 'inboxEmailPrefix'),
      ),
    ['at the same time: update copy 1: name | update copy 1: inboxEmailPrefix'],
  ],
  [
    'one item of a list, and one of what goes',
    [update('copy 1', { cookiesToAdd: [{ name: 'a' }, { name: 'b' }] }, { gone: { cookies: ['x', 'y'] } })],
    (s) => JSON.stringify(s).includes('"b"') && JSON.stringify(s).includes('"y"'),
    ['update copy 1: cookiesToAdd, cookiesToDelete'],
  ],
];

/** Every idea, where none is taken up. */
function refused(steps: readonly Step[]): (readonly Step[])[] {
  const ideas = smallerSequences(steps);
  const all: (readonly Step[])[] = [];
  for (let idea = ideas.next(); !idea.done; idea = ideas.next(false)) all.push(idea.value);
  return all;
}

describe('what is smallest', () => {
  test.each(cases)('%s', async (_, steps, shows, left) => {
    const found = await smallestSequence(steps, async (candidate) => shows(candidate), 500);
    expect(found.map(inWords)).toEqual(left);
    // Nothing can be left out.
    for (const candidate of refused(found)) expect(shows(candidate)).toBe(false);
  });
});

test('it ends when the trials do, with the smallest so far', async () => {
  let trials = 0;
  const steps = Array.from({ length: 40 }, () => noise(1));
  const found = await smallestSequence(
    steps,
    async (candidate) => {
      trials += 1;
      return candidate.length >= 20;
    },
    7,
  );
  expect(trials).toBe(7);
  expect(found.length).toBeLessThan(40);
  expect(found.length).toBeGreaterThanOrEqual(20);
});

test('every idea is smaller', () => {
  const weight = (steps: readonly Step[]) => JSON.stringify(steps).length;
  for (const [, steps] of cases)
    for (const candidate of refused(steps)) expect(weight(candidate)).toBeLessThan(weight(steps));
});
