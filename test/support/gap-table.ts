import { describe, expect, test } from 'vitest';
import type { Exchange, Facts } from '../../conformance/engine/vocabulary.js';
import { observers } from '../../conformance/suite/gaps.js';
import { gather } from '../../conformance/suite/views.js';
import type { ObservableGapId } from '../../generated/rules.js';
import { facts, inOrder, type Sketch } from './evidence.js';

/** A row of a table: exchanges, and what an observer says about them. */
export type Observation = readonly [
  name: string,
  given: readonly (Sketch | Exchange)[],
  want: readonly string[],
  facts?: Partial<Facts>,
];

export type Observations = { readonly [gap in ObservableGapId]?: readonly Observation[] };

/** Tests observers by tables. Another test checks that observers say nothing without exchanges. */
export function gapTables(tables: Observations): void {
  for (const [gap, rows] of Object.entries(tables))
    describe(gap, () => {
      test.each(rows.map((row) => [...row] as const))('%s', (_, given, want, more) => {
        const evidence = gather(inOrder(given));
        expect(observers[gap as ObservableGapId](evidence, facts(more))).toEqual(want);
      });
    });
}
