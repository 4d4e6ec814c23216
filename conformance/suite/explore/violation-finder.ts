/** How exploration finds out which rules are broken. */

import { type Rule, type RuleId, rules } from '../../../generated/rules.js';
import { findings, findingsIn } from '../../engine/rule/verdicts.js';
import { nameOf } from '../../engine/rule/violations.js';
import type { Chapter, Evidence, Exchange, Facts, Finding, Judge } from '../../engine/vocabulary.js';
import { judges } from '../judges.js';

/** Names the ways in which rules are broken: equal names for equal ways. */
export interface ViolationFinder {
  readonly inRun: (evidence: Evidence) => ReadonlySet<string>;
  readonly inSequence: (chapter: Chapter) => ReadonlySet<string>;
  /** Those shown by one answer alone: "no-server-errors on execute". */
  readonly inAnswer: (exchange: Exchange) => readonly string[];
}

/** Judges as the whole run is judged. */
export const violationFinder = (facts: Facts): ViolationFinder => ({
  inRun: (evidence) => ways((rule) => findings(judges[rule], evidence, facts)),
  inSequence: (chapter) => ways((rule) => findingsIn(judges[rule], chapter, facts)),
  inAnswer: (exchange) =>
    exchange.failure
      ? [`no answer (${exchange.failure.kind}) on ${exchange.operation}`]
      : rules.flatMap(({ id }) => {
          const judge: Judge = judges[id];
          const found = [judge.exchange?.(exchange, facts) ?? []].flat();
          return found.some(({ kind }) => kind === 'violated') ? `${id} on ${exchange.operation}` : [];
        }),
});

/** Judges nothing, for when only the requests matter. */
export const findsNothing: ViolationFinder = {
  inRun: () => new Set(),
  inSequence: () => new Set(),
  inAnswer: () => [],
};

const ways = (of: (rule: RuleId) => readonly Finding[]): Set<string> =>
  new Set(
    rules.flatMap((rule: Rule) =>
      of(rule.id).flatMap((finding) =>
        finding.kind === 'violated'
          ? finding.faults.map(({ signature }) => {
              const { operation = null } = finding;
              return `${rule.id} on ${nameOf({ operation, signature })}`;
            })
          : [],
      ),
    ),
  );
