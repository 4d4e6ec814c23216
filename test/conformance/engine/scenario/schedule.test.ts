import { describe, expect, test } from 'vitest';
import { Halt, runJourneys } from '../../../../conformance/engine/scenario/schedule.js';
import { quiet } from '../../../../conformance/engine/send/recorder.js';
import { driverOf, type Journey } from '../../../../conformance/suite/driver.js';
import { talkingTo } from '../../../support/session.js';

describe('a scenario that ends early', () => {
  const ending = (id: string, error?: Error): Journey => ({
    id,
    sends: [],
    effect: 'read',
    needs: [],
    async run() {
      if (error) throw error;
    },
  });

  function run(...journeys: Journey[]) {
    const told: string[] = [];
    const progress = { ...quiet, ended: (journey: string, outcome: string) => told.push(`${journey} ${outcome}`) };
    const { session } = talkingTo(() => ({}));
    return { told, course: runJourneys(journeys, driverOf(session, progress), session.clock, progress) };
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
    const beside: Journey = {
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
