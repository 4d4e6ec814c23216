import { faults } from './faults/index.js';
import { checkIndependent } from './run.js';
import type { WayId } from './ways.js';

/** What a run of the suite finds of one fault in one way. */
export interface Outcome {
  readonly must: readonly string[];
  readonly should: readonly string[];
  readonly inconclusive: readonly string[];
  readonly unusable?: string;
  readonly requests: number;
}

export interface Case {
  readonly way: WayId;
  readonly fault?: string;
  readonly seed?: number;
}

export const everyFault = Object.entries(faults).flatMap(([area, list]) => list.map((fault) => ({ area, fault })));

export async function outcomeOf({ way, fault: id, seed = 1 }: Case): Promise<Outcome> {
  const fault = everyFault.find((one) => one.fault.id === id)?.fault;
  if (id !== undefined && !fault) throw new Error(`There is no fault ${id}.`);
  const { rules, preflight, requests } = await checkIndependent(way, fault, seed);
  const ids = (verdict: string, level?: string) =>
    rules.filter((one) => one.verdict === verdict && (level ?? one.level) === one.level).map((one) => one.id);
  return {
    must: ids('violated', 'MUST'),
    should: ids('violated', 'SHOULD'),
    inconclusive: ids('inconclusive'),
    ...(!preflight.usable && { unusable: preflight.reason }),
    requests,
  };
}

/** What a run with a fault does: it fails, it warns, it is incomplete, or it passes. */
export const words = ['fails', 'warns', 'is incomplete', 'passes'] as const;
export type Word = (typeof words)[number];

/** Only a violated rule reports a fault: a service that nothing can be judged of leaves the run incomplete. */
export const wordFor = ({ must, should, inconclusive, unusable }: Outcome): Word =>
  must.length > 0
    ? 'fails'
    : should.length > 0
      ? 'warns'
      : inconclusive.length > 0 || unusable !== undefined
        ? 'is incomplete'
        : 'passes';

export const isReported = ({ word }: { readonly word: Word }): boolean => word === 'fails' || word === 'warns';
