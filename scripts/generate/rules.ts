import type { Register } from './register.js';
import { quote } from './text.js';

export function rulesModule(register: Register, operationIds: readonly string[]): string {
  const expand = <T extends { on: string[] | 'all' }>(entry: T) => ({
    ...entry,
    on: entry.on === 'all' ? operationIds : entry.on,
  });
  const rules = register.rules.map((rule) => {
    const { id, level, on, effect, needs = [], source, says, stateless = false } = expand(rule);
    return { id, level, on, effect, needs, source, says, stateless };
  });
  const gaps = register.gaps.map(({ id, asks, observable = true }) => ({ id, asks, observable }));
  const callers = register.callers.map((caller) => {
    const { id, level, on, source, says } = expand(caller);
    return { id, level, on, source, says };
  });
  return `import type { OperationId } from './operations.js';

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
}

interface GapShape {
  readonly id: string;
  readonly asks: string;
  readonly observable: boolean;
}

/** What the interface demands of a service. */
export const rules = ${quote(rules)} as const satisfies readonly RuleShape[];

/** What the interface leaves open. */
export const gaps = ${quote(gaps)} as const satisfies readonly GapShape[];

/** What the interface demands of those who call a service. */
export const callers = ${quote(callers)} as const satisfies readonly Statement[];

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
