import { defineConfig } from 'vitest/config';

/** The one test that mutants of the reference service are held against. */
export default defineConfig({ test: { include: ['proof/mutation/suite.ts'], testTimeout: 60_000 } });
