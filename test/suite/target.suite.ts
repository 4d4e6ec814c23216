/**
 * Any service, as vitest tests: `BASE_URL=… WORKFLOW_API_KEY=… npx vitest run --project conformance`, or
 * `TARGET=target.yaml`. What `BASE_URL` says is `TARGET_URL` here.
 */
import { testConformance } from '../../conformance/vitest.js';

const { TARGET_URL: baseUrl, TARGET: file, WORKFLOW_API_KEY: primary } = process.env;

testConformance(baseUrl ?? file ?? 'no target', {
  target: file ?? { baseUrl: baseUrl ?? '', ...(primary !== undefined && { apiKeys: { primary } }) },
});
