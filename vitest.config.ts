import { defineConfig } from 'vitest/config';

// Two noisy cores are the smallest machine that this has to pass on. Nothing asserts how long something takes, so the
// limits only end what hangs.
export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [{ extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'] } }],
  },
});
