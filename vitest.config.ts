import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const { BASE_URL, TARGET } = process.env;

// The suite as vitest tests: on the target that the environment names, else on our own two.
const suites = BASE_URL || TARGET ? ['test/suite/target.suite.ts'] : ['test/suite/{reference,mock}.suite.ts'];

/** Tests that start processes, or run the whole suite many times: too slow to wait for while one writes a rule. */
const slow = [
  'test/{action,mock,scripts}/**/*.test.ts',
  'test/cli/{certify,main,proxy,signals}.test.ts',
  'test/conformance/{declared,explore,gateway,restore,several,stop,vitest}.test.ts',
  'test/conformance/memory.test.ts',
  'test/conformance/report/{html,json}.test.ts',
  'test/lying/half-broken.test.ts',
  'test/conformance/drive/http.test.ts',
  'test/conformance/recording/{judge-recording,merge,processes,spark}.test.ts',
  'test/contract/{tools,types}.test.ts',
  'test/client/{guide,size,types}.test.ts',
  'test/certify/matrix.test.ts',
  'test/conformance/proxy/live.test.ts',
  'test/reference/{fuzz,rules,serve}.test.ts',
  'test/independent/**/*.test.ts',
];
/** The longest of them: of the maintainers' scripts, which `npm run check` runs as well, and of very many runs. */
const long = [
  'test/scripts/{diff,generate,lint-openapi,new-rule}.test.ts',
  'test/conformance/{declared,explore,explore/sequences}.test.ts',
  'test/client/many-runs.test.ts',
];
/** Tests that put a module of their own in the place of another. */
const isolated = ['test/cli/outputs.test.ts', 'test/mock/spawn.test.ts'];
const proof = ['test/proof/{pool,proof}.test.ts'];

export default defineConfig({
  test: {
    // Nothing asserts how long something takes, so the limits only end what hangs, on the busiest machine too.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    // One more than cores: who waits for a process leaves its core to others.
    maxWorkers: availableParallelism() + 1,
    // A worker loads a module once for all its files: half of the time was imports. What a test changes it puts back.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/{browser,package}/**', ...slow, ...long, ...isolated, ...proof],
        },
      },
      { extends: true, test: { name: 'slow', include: slow, exclude: [...isolated, ...long] } },
      { extends: true, test: { name: 'long', include: long } },
      { extends: true, test: { name: 'isolated', include: isolated, isolate: true } },
      { extends: true, test: { name: 'proof', include: proof } },
      {
        extends: true,
        test: { name: 'package', include: ['test/package/**/*.test.ts'], globalSetup: 'test/package/setup.ts' },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['test/browser/**/*.test.ts'], globalSetup: 'test/support/chromium.ts' },
      },
      {
        extends: true,
        // By another name: tests find a BASE_URL of Vite's own in the environment.
        test: { name: 'conformance', include: suites, env: { ...(BASE_URL && { TARGET_URL: BASE_URL }) } },
      },
    ],
  },
});
