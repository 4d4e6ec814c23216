import { describe, expect, test } from 'vitest';
import type { Exchange, Facts } from '../../conformance/engine/vocabulary.js';
import { observers } from '../../conformance/suite/judges.js';
import { gather } from '../../conformance/suite/views.js';
import type { ObservableGapId } from '../../generated/rules.js';
import { facts, inOrder, type Sketch } from './evidence.js';

/** Exchanges, and what an observer says about them. */
interface Observed {
  readonly given: readonly (Sketch | Exchange)[];
  readonly says: string | readonly string[];
  readonly facts?: Partial<Facts>;
}

/** Observations by their names. Of exchanges alone an observer says nothing. */
export type Observations = { readonly [name: string]: Observed['given'] | Observed };

/** Tests observers by tables. Another test checks that observers say nothing without exchanges. */
export function gapTables(tables: { readonly [gap in ObservableGapId]?: Observations }): void {
  for (const [gap, table] of Object.entries(tables))
    describe(gap, () => {
      test.each(Object.entries(table))('%s', (_, one) => {
        const { given, says, ...more } = 'given' in one ? one : { given: one, says: [] };
        const evidence = gather(inOrder(given));
        const seen = observers[gap as ObservableGapId](evidence, facts('facts' in more ? more.facts : {}));
        expect(seen).toEqual([says].flat());
      });
    });
}
