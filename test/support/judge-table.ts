/** Tests judges by tables of recordings. */

import { describe, expect, test } from 'vitest';
import { findings } from '../../conformance/engine/rule/verdicts.js';
import type { Exchange, Facts, FailedWait, Finding, Judge } from '../../conformance/engine/vocabulary.js';
import { gather } from '../../conformance/suite/views.js';
import type { RuleId } from '../../generated/rules.js';
import { facts, ids, inOrder, type Sketch } from './evidence.js';

type Kind = Finding['kind'];

/**
 * A recording, and what a judge should find: `ignored` means no finding, one kind means that all findings are of this
 * kind (and there is one), a list gives the kinds of all findings in order.
 */
export type Row = readonly [
  want: Kind | 'ignored' | readonly Kind[],
  name: string,
  given: readonly (Sketch | Exchange)[],
  more?: {
    readonly facts?: Partial<Facts>;
    readonly failedWaits?: readonly FailedWait[];
    /** The recording is all that one caller sent for one job. `stopped`: it did not end by itself. */
    readonly oneJob?: true | 'stopped';
    /** Texts that the findings must contain. */
    readonly says?: string | readonly string[];
  },
];

export type Table = readonly Row[];

/** The tables of a topic: test/conformance/suite/<topic>/tables/<name>.ts exports `<topic>`, which satisfies Tables. */
export type Tables = { readonly [id in RuleId]?: Table };

const words = (finding: Finding) =>
  finding.kind === 'violated'
    ? `required ${finding.required}; seen ${finding.seen}`
    : finding.kind === 'inconclusive'
      ? finding.why
      : '';

/** Tests a judge by its table, which must have recordings that keep the rule, break it, and do not concern it. */
export function judgeTable(id: string, judge: Judge, table: Table): void {
  describe(id, () => {
    test('has recordings that keep it, break it and do not touch it', () => {
      expect(table.flatMap(([want]) => want)).toEqual(expect.arrayContaining(['satisfied', 'violated', 'ignored']));
    });

    test.each(table.map((row) => [...row] as const))('%s: %s', (want, _, given, more = {}) => {
      const evidence = {
        ...gather(inOrder(given), more.failedWaits),
        ...(more.oneJob && { oneJob: { executionId: ids.execution, isOver: more.oneJob === true } }),
      };
      const found = findings(judge, evidence, facts(more.facts));
      const kinds = found.map(({ kind }) => kind);
      expect(typeof want === 'string' ? [...new Set(kinds)] : kinds, found.map(words).join('\n')).toEqual(
        want === 'ignored' ? [] : [want].flat(),
      );
      for (const text of [more.says ?? []].flat()) expect(found.map(words).join('\n')).toContain(text);
    });
  });
}
