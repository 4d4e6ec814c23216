import type { Variation } from '../variation.js';

export const surroundingVariations: readonly Variation[] = [
  { id: 'no-latency', says: 'Answers take no time.', options: { latencyMs: 0 } },
  { id: 'some-latency', says: 'Answers take a tenth of a second.', options: { latencyMs: 100 } },
  { id: 'half-speed', says: 'Runs take twice as long.', options: { speed: 0.5 } },
  {
    id: 'one-at-a-time',
    says: 'The organization may run one execution at a time.',
    options: { limits: { concurrency: 1 } },
  },
  {
    id: 'three-at-a-time',
    says: 'The organization may run three executions at a time.',
    options: { limits: { concurrency: 3 } },
  },
  {
    id: 'behind-a-gateway',
    says: 'The service has a path of its own before that of the interface.',
    options: { basePath: '/tenants/acme' },
  },
];
