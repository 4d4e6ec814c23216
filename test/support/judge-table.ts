/** Tests judges by tables of recordings. */

import { describe, expect, test } from 'vitest';
import { findings } from '../../conformance/engine/rule/verdicts.js';
import { expectation } from '../../conformance/engine/rule/violations.js';
import type { Exchange, Facts, FailedWait, Finding, Judge } from '../../conformance/engine/vocabulary.js';
import { gather } from '../../conformance/suite/views.js';
import type { RuleId } from '../../generated/rules.js';
import { facts, ids, inOrder, type Sketch } from './evidence.js';

/** What a judge is given, and what else there is to know. */
interface Case {
  readonly given: readonly (Sketch | Exchange)[];
  readonly facts?: Partial<Facts>;
  readonly failedWaits?: readonly FailedWait[];
  /** The recording is all that one caller sent for one job. `stopped`: it did not end by itself. */
  readonly oneJob?: true | 'stopped';
  /** Texts that the findings must contain. */
  readonly says?: string | readonly string[];
}

/**
 * Recordings by what a judge should find and by their names, `violated: running again`. `ignored` means no finding, one kind
 * that all findings are of it (and there is one), several (`satisfied, violated`) are the kinds of all findings in order.
 */
export type Table = { readonly [wantAndName: string]: Case['given'] | Case };

/** Several tables as one. Throws if two of their cases have the same name. */
export function all(tables: readonly Table[]): Table {
  const cases = tables.flatMap(Object.entries);
  const table = Object.fromEntries(cases);
  if (Object.keys(table).length < cases.length) throw new Error(`Two have one name: ${cases.map(([name]) => name)}`);
  return table;
}

/** The tables of a topic: test/conformance/suite/<topic>/tables/<name>.ts exports `<topic>`, which satisfies Tables. */
export type Tables = { readonly [id in RuleId]?: Table };

const words = (finding: Finding) =>
  finding.kind === 'violated' ? expectation(finding) : finding.kind === 'inconclusive' ? finding.why : '';

const caseOf = (one: Case['given'] | Case): Case => ('given' in one ? one : { given: one });

/** The table with each of its cases changed. */
export const each = (table: Table, change: (one: Case) => Case): Table =>
  Object.fromEntries(Object.entries(table).map(([name, one]) => [name, change(caseOf(one))]));

/** Tests a judge by its table, which must have recordings that keep the rule, break it, and do not concern it. */
export function judgeTable(id: string, judge: Judge, table: Table): void {
  const rows = Object.entries(table).map(([name, one]) => {
    const [wanted = ''] = name.split(': ', 1);
    return { name, wants: wanted.split(', '), ...caseOf(one) };
  });
  describe(id, () => {
    test('has recordings that satisfy it, violate it and do not concern it', () => {
      expect(rows.flatMap(({ wants }) => wants)).toEqual(expect.arrayContaining(['satisfied', 'violated', 'ignored']));
    });

    test.each(rows)('$name', ({ wants, given, failedWaits, oneJob, says, ...more }) => {
      const evidence = {
        ...gather(inOrder(given), failedWaits),
        ...(oneJob && { oneJob: { executionId: ids.execution, isOver: oneJob === true } }),
      };
      const found = findings(judge, evidence, facts(more.facts));
      const kinds = found.map(({ kind }) => kind);
      expect(wants.length === 1 ? [...new Set(kinds)] : kinds, found.map(words).join('\n')).toEqual(
        wants[0] === 'ignored' ? [] : wants,
      );
      for (const text of [says ?? []].flat()) expect(found.map(words).join('\n')).toContain(text);
    });
  });
}
