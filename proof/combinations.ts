import { seeded, seedFor } from '../conformance/engine/send/seeded.js';
import { choices, type Surroundings, type Variation, variations } from '../deviations/index.js';
import { declaredOf, type Setting } from './cases.js';

/** The probability that a gap is filled at random. */
const otherwise = 0.4;

/** Variations that leave something to judge. */
const telling = variations.filter(({ untested }) => untested !== 'any');
const isSurroundings = (one: Variation): one is Variation & Surroundings => !('behaviour' in one);

/** A conformant service that is unusual in several ways: choices, a variation of its behaviour, and one around it. */
export interface Combination extends Setting {
  readonly says: string;
  /** The SHOULD rules that the suite may warn about. */
  readonly warns: readonly string[];
}

/** The combination for a seed. */
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
