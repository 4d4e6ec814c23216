import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const { BASE_URL, TARGET } = process.env;

// The suite as vitest tests: on the target that the environment names, else on our own two.
const suites = {
  include: [BASE_URL || TARGET ? 'test/suite/target.suite.ts' : 'test/suite/{reference,mock}.suite.ts'],
  // By another name: tests find a BASE_URL of Vite's own in the environment.
  env: { ...(BASE_URL && { TARGET_URL: BASE_URL }) },
};

/** Kinds of tests, by the suffix of the file: see CONTRIBUTING.md. */
const named = (kind: 'waiting' | 'long') => `test/**/*.${kind}.test.ts`;
/** They need what is set up once for all of them: the packed package, a browser. */
const [packed, browser] = ['test/package/**/*.test.ts', 'test/browser/**/*.test.ts'];

export default defineConfig({
  test: {
    // Nothing asserts how long something takes, so the limits only end what hangs, on the busiest machine too.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    // What computes has a core of its own: each further worker loads and optimizes all of it again.
    maxWorkers: availableParallelism(),
    sequence: { groupOrder: 1 },
    // A worker loads a module once for all its files: half of the time was imports. What a test changes it puts back.
    isolate: false,
    // A worker lives for a minute, and V8 spent a third of it on optimizing what it inlined: less of that is faster here.
    execArgv: ['--max-inlined-bytecode-size-cumulative=50'],
    // Workers, and the next run, find what one has transformed; `npx vitest --clearCache` forgets it.
    experimental: { fsModuleCache: true },
    // The engine has to know the interface before a test asks it anything.
    setupFiles: ['test/support/contract.setup.ts'],
    projects: [
      // Tests that mostly wait run first, three per core.
      {
        extends: true,
        test: {
          name: 'waiting',
          // The suite on the reference service, over HTTP, is run by the tests of the package.
          include: [named('waiting'), 'test/suite/mock.suite.ts'],
          globalSetup: 'test/support/command.setup.ts',
          maxWorkers: 3 * availableParallelism(),
          maxConcurrency: 20,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [named('long'), named('waiting'), packed, browser],
        },
      },
      { extends: true, test: { name: 'long', include: [named('long')] } },
      { extends: true, test: { name: 'package', include: [packed], globalSetup: 'test/package/setup.ts' } },
      { extends: true, test: { name: 'browser', include: [browser], globalSetup: 'test/support/chromium.ts' } },
      { extends: true, test: { name: 'conformance', ...suites } },
    ],
  },
});
