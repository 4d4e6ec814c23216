import { defineConfig } from 'vitest/config';

// Two noisy cores are the smallest machine that this has to pass on. Nothing asserts how long something takes, so the
// limits only end what hangs.
const { BASE_URL, TARGET } = process.env;

// The suite as vitest tests: on the target that the environment names, else on our own two.
const suites = BASE_URL || TARGET ? ['test/suite/target.suite.ts'] : ['test/suite/{reference,mock}.suite.ts'];

export default defineConfig({
  test: {
    // What depends on real time may fail once on a noisy machine; what is broken fails twice.
    retry: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/{browser,package}/**'] } },
      {
        extends: true,
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          globalSetup: 'test/package/setup.ts',
          testTimeout: 120_000,
        },
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
