import { afterAll } from 'vitest';
import { testConformance } from '../../conformance/vitest.js';
import { type Reference, startReference } from '../../reference/index.js';

let reference: Reference | undefined;

testConformance('the reference service', {
  strict: true,
  target: async () => {
    reference = await startReference();
    return reference.fixtures;
  },
});

afterAll(() => reference?.close());
