import { seeded, seedFor } from '../conformance/engine/send/seeded.js';
import { choices, type Surroundings, type Variation, variations } from '../deviations/index.js';
import { declaredOf, type Setting } from './cases.js';

/** How often a gap is filled otherwise than usual. */
const otherwise = 0.4;

/** What leaves nothing to judge is combined with nothing. */
const telling = variations.filter(({ untested }) => untested !== 'any');
const isSurroundings = (one: Variation): one is Variation & Surroundings => !('behaviour' in one);

/** A conformant service that is odd in several ways at once: gaps filled, one variation of its own and one around it. */
export interface Combination extends Setting {
  readonly says: string;
  /** SHOULD rules that it is warned of. */
  readonly warns: readonly string[];
}

/** The same seed makes the same one. */
export function combinationOf(seed: number): Combination {
  const random = seeded(seedFor(seed, 'combination'));
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const filled = Object.entries(choices).flatMap(([gap, { values }]) =>
    random() < otherwise ? [`${gap}=${pick(Object.keys(values))}`] : [],
  );
  const around = pick(telling.filter(isSurroundings));
  const own = pick(telling.filter((one) => !isSurroundings(one)));
  const { options = {}, gateway } = around;
  const declared = { ...declaredOf(own), ...declaredOf(around) };
  const pace = { ...declaredOf(own)?.pace, ...declaredOf(around)?.pace };
  return {
    says: [own.id, around.id, ...filled].join(', '),
    warns: [...(own.warns ?? []), ...(around.warns ?? [])],
    gateway,
    declared: { ...declared, pace },
    options: {
      choices: filled.join(','),
      ...options,
      faults: [...(options.faults ?? []), ...('behaviour' in own ? [own] : [])],
    },
  };
}
