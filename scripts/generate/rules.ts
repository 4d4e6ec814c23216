import type { Register } from './register.js';
import { source } from './text.js';

export function rulesModule(register: Register): string {
  const rules = register.rules.map((rule) => ({
    ...rule,
    needs: rule.needs ?? [],
    stateless: rule.stateless ?? false,
  }));
  const gaps = register.gaps.map((gap) => ({ ...gap, observable: gap.observable ?? true }));
  return `import { type OperationId, operationIds } from './operations.js';

export type Level = 'MUST' | 'SHOULD';

/** The worst that judging a rule does to the target; each includes the ones before it. */
export type Effect = 'read' | 'execute' | 'write' | 'delete';

interface Statement {
  readonly id: string;
  readonly level: Level;
  readonly on: readonly OperationId[];
  /** The section of the interface that states it. */
  readonly source: string;
  readonly says: string;
}

interface RuleShape extends Statement {
  readonly effect: Effect;
  /** What the target file must declare before the rule can be judged. */
  readonly needs: readonly string[];
  /** Whether it can be judged on a target that keeps no state. */
  readonly stateless: boolean;
  /** What a target may or may not send, and the rule speaks of. */
  readonly where?: string;
}

interface GapShape {
  readonly id: string;
  readonly asks: string;
  readonly observable: boolean;
}

/** What the interface demands of a service. */
export const rules = ${statements(rules)} as const satisfies readonly RuleShape[];

/** What the interface leaves open. */
export const gaps = ${source(gaps)} as const satisfies readonly GapShape[];

/** What the interface demands of those who call a service. */
export const callers = ${statements(register.callers)} as const satisfies readonly Statement[];

export type RuleId = (typeof rules)[number]['id'];
export type GapId = (typeof gaps)[number]['id'];
export type ObservableGapId = Extract<(typeof gaps)[number], { observable: true }>['id'];
export type CallerRuleId = (typeof callers)[number]['id'];

export interface Rule extends RuleShape {
  readonly id: RuleId;
}
export interface Gap extends GapShape {
  readonly id: GapId;
}
export interface CallerRule extends Statement {
  readonly id: CallerRuleId;
}
`;
}

/** `all` becomes the list of operations, which JSON cannot refer to. */
const statements = (entries: readonly object[]) => source(entries).replaceAll('"on":"all"', '"on":operationIds');
