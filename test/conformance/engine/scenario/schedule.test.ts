import { describe, expect, test } from 'vitest';
import { Halt, runScenarios } from '../../../../conformance/engine/scenario/schedule.js';
import { quiet } from '../../../../conformance/engine/send/recorder.js';
import { driverOf, type Scenario } from '../../../../conformance/suite/driver.js';
import { talkingTo } from '../../../support/session.js';

describe('a scenario that ends early', () => {
  const ending = (id: string, error?: Error): Scenario => ({
    id,
    sends: [],
    effect: 'read',
    needs: [],
    async run() {
      if (error) throw error;
    },
  });

  function run(...scenarios: Scenario[]) {
    const told: string[] = [];
    const progress = { ...quiet, ended: (scenario: string, outcome: string) => told.push(`${scenario} ${outcome}`) };
    const { session } = talkingTo(() => ({}));
    return { told, course: runScenarios(scenarios, driverOf(session, progress), session.clock, progress) };
  }

  test('because of the target is skipped, and the others continue', async () => {
    const { told, course } = run(ending('a', new Halt('No more.')), ending('b'));
    expect((await course).halts).toEqual([{ why: 'No more.' }]);
    expect(told.sort()).toEqual(['a skipped', 'b done']);
  });

  test('has ended when its parallel steps have ended too', async () => {
    let finish = () => {};
    const isOver = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const beside: Scenario = {
      ...ending('a'),
      async run(driver) {
        driver.runInParallel(Promise.resolve().then(() => driver.runInParallel(isOver)));
        throw new Halt('No more.');
      },
    };
    const { told, course } = run(beside, ending('b'));
    await new Promise(setImmediate);
    expect(told).toEqual(['b done']);
    finish();
    await course;
    expect(told).toEqual(['b done', 'a skipped']);
  });

  test('because of the suite has failed, and so has the run, once the others have ended', async () => {
    const { told, course } = run(ending('a', new Error('a mistake')), ending('b'));
    await expect(course).rejects.toThrow('a mistake');
    expect(told.sort()).toEqual(['a failed', 'b done']);
  });
});
