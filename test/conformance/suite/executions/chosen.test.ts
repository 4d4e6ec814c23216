import { describe, expect, test } from 'vitest';
import { allowedScenarios } from '../../../../conformance/engine/scenario/schedule.js';
import { missingNeeds } from '../../../../conformance/engine/settings/needs.js';
import { derivedSteps } from '../../../../conformance/suite/executions/roles.js';
import { chooseStarts } from '../../../../conformance/suite/executions/steps.js';
import { scenariosFor } from '../../../../conformance/suite/scenarios.js';
import { type TargetFile, toTarget } from '../../../../conformance/suite/target/target.js';
import { rules } from '../../../../generated/rules.js';
import { createReference } from '../../../../reference/index.js';

const { fixtures: file } = createReference();

/** Of what steers executions, as far as rules speak of it alone. */
const further = derivedSteps.filter(({ serves }) => serves.length > 1).length;

function chosen(budget?: number, more: Partial<TargetFile> = {}) {
  const { facts } = toTarget({ ...file, ...more, ...(budget !== undefined && { budget: { executions: budget } }) });
  return chooseStarts(facts, allowedScenarios(scenariosFor(facts), facts));
}

/** The rules that executions are for of which none is started. */
function leftOutOf({ steps, possibleFor }: ReturnType<typeof chosen>): readonly string[] {
  const isLeftOut = (all: readonly string[]) => all.length > 0 && !all.some((step) => steps.has(step));
  return rules.filter(({ id }) => isLeftOut(possibleFor(id))).map(({ id }) => id);
}

describe('the executions of a run', () => {
  test('of a larger budget include those of a smaller one', () => {
    for (let budget = 1; budget <= 60; budget += 1) {
      const [smaller, larger] = [[...chosen(budget - 1).steps], [...chosen(budget).steps]];
      expect(larger.slice(0, smaller.length)).toEqual(smaller);
      expect(larger.length).toBeLessThanOrEqual(Math.max(1, budget - 1));
    }
  });

  test.each([
    { budget: 12 + further, unjudged: ['sync-is-not-idempotent', 'sync-default-timeout'] },
    { budget: 17 + further, unjudged: [] },
    { budget: undefined, unjudged: [] },
  ])('with a budget of $budget do not include those for $unjudged', ({ budget, unjudged }) => {
    expect(leftOutOf(chosen(budget))).toEqual(unjudged);
  });

  test.each(Object.keys(file.workflows))('that only repeat replace those that %s would be started for', (role) => {
    const workflows = Object.fromEntries(Object.entries(file.workflows).filter(([name]) => name !== role));
    const hooks = { resumeExecution: 'resume' };
    const { facts } = toTarget({ ...file, workflows, hooks });
    const judged = rules.filter((rule) => missingNeeds(rule, facts).length === 0).map(({ id }) => id);
    const left = leftOutOf(chosen(undefined, { workflows, hooks }));
    expect(judged.filter((id) => left.includes(id))).toEqual([]);
  });

  test('without a budget are about 20, and none only repeats', () => {
    const { steps } = chosen();
    expect(steps.size).toBe(24 + derivedSteps.length);
    expect(steps).not.toContain('start/nothing');
    expect(chosen(60).steps).toContain('start/nothing');
  });

  test('pause once for each workflow that pauses, if a hook cancels paused ones', () => {
    const stopping = (more: Partial<TargetFile>) =>
      [...chosen(undefined, more).steps].filter((step) => /run-(pauses|pausesByAgent|awaitsConfirmation)/.test(step));
    expect(stopping({})).toEqual([]);
    expect(stopping({ hooks: { makePool: 'make' } })).toEqual([]);
    expect(stopping({ hooks: { resumeExecution: 'resume' } }).toSorted()).toEqual([
      'run-awaitsConfirmation/sync',
      'run-pauses/sync',
      'run-pausesByAgent/sync',
    ]);
  });

  test('fill a large group last, because of the cost', () => {
    const capacity = { profileGroup: file.capacity.profileGroup, size: 10, workflow: file.capacity.workflow };
    expect([...chosen(12, { capacity }).steps]).not.toContain('capacity/hold');
    expect([...chosen(25, { capacity }).steps]).toContain('capacity/hold');
  });

  test('that need another one include that one', () => {
    for (let budget = 0; budget <= 60; budget += 1) {
      const { steps } = chosen(budget);
      for (const [one, other] of [
        ['capacity/queue-1', 'capacity/hold'],
        ['capacity/free-1', 'capacity/hold'],
        ['sync-waits/sync-one-second-again', 'sync-waits/sync-one-second'],
      ] as const)
        expect(!steps.has(one) || steps.has(other), `${one} of ${budget}`).toBe(true);
    }
  });

  test('do not include those of skipped scenarios', () => {
    expect([...chosen(60, { allow: 'read' }).steps]).toEqual([]);
    expect([...chosen(60, { workflows: {} }).steps].filter((step) => step.startsWith('start/'))).toEqual([]);
  });
});
