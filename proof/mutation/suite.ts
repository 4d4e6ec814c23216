/** The suite as the only test of the reference service: a mutant of the service is found where a check of it is not clean. */
import { expect, test } from 'vitest';
import { names, problems } from './trials.js';

test.each(names)('a service with the choices %s is conformant, and nothing is in doubt', async (name) => {
  expect(await problems(name)).toEqual([]);
});
