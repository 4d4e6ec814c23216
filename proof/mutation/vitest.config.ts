import { defineConfig } from 'vitest/config';

/** Runs the one test for mutants of the reference service. */
export default defineConfig({ test: { include: ['proof/mutation/suite.ts'], testTimeout: 60_000 } });
