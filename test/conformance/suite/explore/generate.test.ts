import { describe, expect, test } from 'vitest';
import { Material } from '../../../../conformance/engine/scenario/material/material.js';
import type { Facts } from '../../../../conformance/engine/vocabulary.js';
import { nextSteps, sequence } from '../../../../conformance/suite/explore/generate.js';
import { after, type Model, noItems, nothing } from '../../../../conformance/suite/explore/model.js';
import { inWords, type Single, type Step, singles, source } from '../../../../conformance/suite/explore/steps.js';
import { facts, ids } from '../../../support/evidence.js';

const all = facts({
  workflows: { completes: ids.workflow },
  profile: ids.profile,
  pool: ids.pool,
  capacity: { profileGroup: ids.pool, size: 2, workflow: ids.workflow },
});
const rich: Model = { ...nothing, copiesLeft: 5, executionsLeft: 9 };
const seeds = Array.from({ length: 300 }, (_, seed) => seed);
const sequences = (model: Model, of: Facts) => seeds.map((seed) => sequence(model, of, new Material(seed)));
const kindsOf = (steps: readonly Step[]): string[] =>
  steps.flatMap((step) => [step.kind, ...singles(step).map(({ kind }) => kind)]);

const allowed: [allow: Facts['allow'], kinds: readonly string[]][] = [
  ['read', []],
  ['execute', ['follow', 'list', 'read', 'start', 'together']],
  ['write', ['duplicate', 'follow', 'list', 'look', 'read', 'start', 'together', 'update']],
  ['delete', ['delete again', 'duplicate', 'follow', 'list', 'look', 'read', 'start', 'together', 'update']],
];
test.each(allowed)('at --allow %s these kinds of steps are made up, and no others', (allow, kinds) => {
  const made = sequences(rich, { ...all, allow }).flatMap(kindsOf);
  expect([...new Set(made)].sort()).toEqual(kinds);
});

test('the same seed makes up the same, another one something else', () => {
  const [one, again, other] = [7, 7, 8].map((seed) => sequence(rich, all, new Material(seed)));
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
});

describe('of whatever seed', () => {
  const made = sequences(rich, all).map((steps) => steps.flatMap(singles));
  const each = (check: (step: Single, before: readonly Single[]) => void) => {
    for (const steps of made) for (const [place, step] of steps.entries()) check(step, steps.slice(0, place));
  };

  test('the profile of the target file is looked at and copied, and never updated', () => {
    each((step) => {
      if ('profile' in step && step.profile === source) expect(['look', 'duplicate']).toContain(step.kind);
    });
  });

  test('no more is made than may be', () => {
    for (const steps of made) {
      expect(steps.filter(({ kind }) => kind === 'duplicate').length).toBeLessThanOrEqual(rich.copiesLeft);
      expect(steps.filter(({ kind }) => kind === 'start').length).toBeLessThanOrEqual(rich.executionsLeft);
    }
  });

  test('nothing is made under a name that there is', () => {
    for (const steps of made) {
      const names = steps.flatMap((step) => ('as' in step ? step.as : []));
      expect(names).toEqual([...new Set(names)]);
    }
  });

  test('what is deleted was added before, or came with a copy', () => {
    let deletions = 0;
    each((step, before) => {
      if (step.kind !== 'update') return;
      for (const name of Object.values(step.gone ?? {}).flat()) {
        deletions += 1;
        expect(JSON.stringify(before)).toContain(JSON.stringify(name));
      }
    });
    expect(deletions).toBeGreaterThan(10);
  });
});

const steps: [what: string, model: Model, step: Step, then: Partial<Model>][] = [
  [
    'a copy has what its source has',
    { ...rich, copies: new Map([['a', { cookies: ['c'], credentials: [] }]]) },
    { kind: 'duplicate', profile: 'a', as: 'b' },
    {
      copiesLeft: 4,
      copies: new Map([
        ['a', { cookies: ['c'], credentials: [] }],
        ['b', { cookies: ['c'], credentials: [] }],
      ]),
    },
  ],
  [
    'what an update adds is there, what it deletes is not',
    { ...rich, copies: new Map([['a', { cookies: ['c', 'd'], credentials: [] }]]) },
    { kind: 'update', profile: 'a', body: { cookiesToAdd: [{ name: 'e' }] }, gone: { cookies: ['c'] } },
    { copies: new Map([['a', { cookies: ['d', 'e'], credentials: [] }]]) },
  ],
  [
    'what must be refused changes nothing',
    { ...rich, copies: new Map([['a', noItems]]) },
    {
      kind: 'update',
      profile: 'a',
      body: { cookiesToAdd: [{ name: 'e' }] },
      wrong: { rule: 'update-body-is-typed', fault: 'a cookie without its required fields' },
    },
    { copies: new Map([['a', noItems]]) },
  ],
  [
    'steps at the same time count one by one',
    rich,
    {
      kind: 'together',
      steps: [1, 2].map((n) => ({
        kind: 'start',
        operation: 'execute',
        workflow: ids.workflow,
        as: `execution ${n}`,
        body: {},
      })),
    },
    {
      executionsLeft: 7,
      executions: new Map([
        ['execution 1', { going: true }],
        ['execution 2', { going: true }],
      ]),
    },
  ],
];
test.each(steps)('after a step %s', (_, model, step, then) => {
  expect(after(model, step)).toMatchObject(then);
});

test('with a copy in use no other start asks for a profile', () => {
  const model: Model = {
    ...rich,
    copies: new Map([['a', noItems]]),
    executions: new Map([['execution 1', { going: true, profile: 'a' }]]),
  };
  const next = seeds.flatMap((seed) => nextSteps(model, all, new Material(seed))).flatMap(singles);
  expect(next.filter(({ kind }) => kind === 'start').length).toBeGreaterThan(5);
  for (const step of next)
    if (step.kind === 'start') expect([step.profile, step.body.profileGroupId]).toEqual([undefined, undefined]);
});

test('steps are told in words', () => {
  const words = sequences(rich, all).flat().map(inWords);
  expect(words).toContain('duplicate the profile as copy 1');
  expect(words.filter((text) => /undefined|\[object/.test(text))).toEqual([]);
});
