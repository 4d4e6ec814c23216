import { defineConfig } from 'vitest/config';
import { how, unit } from './vitest.config.js';

/** The tests that take no time: `npm run test:unit`, and what the watch runs. */
export default defineConfig({ test: { ...how, ...unit, name: 'unit' } });
