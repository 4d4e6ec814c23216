/** Services of several replicas over one store: a fault is that of one of them. */
import type { Variation } from '../../variation.js';

const of = (replicas: number, words: string): Variation => ({
  id: `${words}-replicas`,
  options: { replicas },
  declared: { pace: { requestsPerSecond: 50 } },
});

export const replicaVariations: readonly Variation[] = [of(2, 'two'), of(4, 'four'), of(20, 'twenty')];
