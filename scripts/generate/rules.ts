/** Generates generated/rules.ts. */

import type { readRegister } from './register.js';
import { source } from './text.js';

export function rulesModule(register: ReturnType<typeof readRegister>): string {
  const rules = register.rules.map((rule) => ({
    ...rule,
    needs: rule.needs ?? [],
    stateless: rule.stateless ?? false,
  }));
  const statements = register.statements.map(({ id, standing, where, says }) => ({ id, standing, where, says }));
  const gaps = register.gaps.map((gap) => ({ ...gap, observable: gap.observable ?? true }));
  return `import { type OperationId, operationIds } from './operations.js';

export type Level = 'MUST' | 'SHOULD';

/** The strongest effect on the target that judging a rule needs; each effect includes those before it. */
export type Effect = 'read' | 'execute' | 'write' | 'delete';

/** Whether the interface states it, implies it, or leaves it open. */
export type Standing = 'stated' | 'implied' | 'open';

interface StatementShape {
  readonly id: string;
  readonly standing: Standing;
  /** The section of the interface. */
  readonly where: string;
  readonly says: string;
}

interface Demand {
  readonly id: string;
  readonly level: Level;
  readonly on: readonly OperationId[];
  /** The section of the interface that states it. */
  readonly source: string;
  /** The statements of the interface that it rests on. */
  readonly statements: readonly StatementId[];
  readonly says: string;
}

interface RuleShape extends Demand {
  readonly effect: Effect;
  /** What the target file must declare before the rule can be judged. */
  readonly needs: readonly string[];
  /** Whether it can be judged on a target that keeps no state. */
  readonly stateless: boolean;
  /** What the rule is about, if targets need not send it. Where none was sent, the rule is untested. */
  readonly where?: string;
}

interface GapShape {
  readonly id: string;
  readonly statements: readonly StatementId[];
  readonly asks: string;
  readonly observable: boolean;
}

/** Every statement of the interface. */
export const statements = ${source(statements)} as const satisfies readonly StatementShape[];

/** What the interface demands of a service. */
export const rules = ${demands(rules)} as const satisfies readonly RuleShape[];

/** The ids of rules that are on no operation of this contract, and so not among the others until one is there. */
export const idleRules = ${source(register.idle)} as const;

/** What the interface leaves open. */
export const gaps = ${source(gaps)} as const satisfies readonly GapShape[];

/** What the interface demands of callers. */
export const callers = ${demands(register.callers)} as const satisfies readonly Demand[];

export type StatementId = (typeof statements)[number]['id'];
export type RuleId = (typeof rules)[number]['id'] | (typeof idleRules)[number];
export type GapId = (typeof gaps)[number]['id'];
export type ObservableGapId = Extract<(typeof gaps)[number], { observable: true }>['id'];
export type CallerRuleId = (typeof callers)[number]['id'];

export interface Statement extends StatementShape {
  readonly id: StatementId;
}
export interface Rule extends RuleShape {
  readonly id: RuleId;
}
export interface Gap extends GapShape {
  readonly id: GapId;
}
export interface CallerRule extends Demand {
  readonly id: CallerRuleId;
}
`;
}

/** The demands as source. `all` becomes a reference to the list of operations. */
const demands = (entries: readonly object[]) => source(entries).replaceAll('"on":"all"', '"on":operationIds');
