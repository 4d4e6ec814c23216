import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyChoices, anyRequest, anyTarget } from './arbitraries.js';
import { type Answer, createWorld } from './world.js';

// `npm run fuzz` is the full proof; a thousand are enough for every run of the tests. FUZZ_SEED gives others.
// npm names its script, whatever the system: not every shell takes a variable before a command.
const { FUZZ_REQUESTS, npm_lifecycle_event: script } = process.env;
const requests = Number(FUZZ_REQUESTS ?? (script === 'fuzz' ? 100_000 : 1000));
const seed = Number(process.env.FUZZ_SEED ?? 20260302);
const batch = 100;
const parameters = { seed, numRuns: Math.ceil(requests / batch) };
const ofBatch = { minLength: batch, maxLength: batch };

describe(`${requests} generated requests (seed ${seed})`, () => {
  it('of every operation get answers that conform to the contract, with any choices', async () => {
    await fc.assert(
      fc.asyncProperty(anyChoices, fc.array(anyRequest, ofBatch), async (choices, generated) => {
        const world = createWorld({ choices });
        // Each answer is held to its schema where it is read; those that wait get all the time that they may take.
        let open = 0;
        const answers: Promise<Answer>[] = [];
        for (const { operation, id, ask } of generated) {
          const answer = world.call(operation, id, ask);
          const done = () => open--;
          open++;
          answer.then(done, done);
          answers.push(answer);
          if (answers.length % 20 === 0) await world.clock.advance(150);
        }
        await world.clock.advance(26_000);
        expect(open, 'some were never answered').toBe(0);
        for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(500);
        expect(world.failures).toEqual([]);
      }),
      parameters,
    );
  }, 600_000);

  it('of any method and path get an error body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTarget, ofBatch), async (targets) => {
        const { reference, target, failures } = createWorld();
        for (const { method, path } of targets) {
          const response = await reference.fetch(new Request(target.baseUrl + path, { method }));
          const text = await response.text();
          expect(response.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
          expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(500);
          if (method !== 'HEAD')
            expect(JSON.parse(text)).toMatchObject({ code: response.status, message: expect.stringMatching(/./) });
        }
        expect(failures).toEqual([]);
      }),
      { ...parameters, numRuns: Math.ceil(parameters.numRuns / 10) },
    );
  }, 600_000);
});
