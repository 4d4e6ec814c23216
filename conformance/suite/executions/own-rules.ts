/** Finds the rules that an operation is sent for by itself: those on it that need nothing but what its run needs. */
import type { OperationId } from '../../../generated/operations.js';
import { type Rule, type RuleId, rules } from '../../../generated/rules.js';

/** The rules on one of these operations that need just that. */
export type OwnRule<On extends OperationId, Needs extends readonly string[]> = Own<(typeof rules)[number], On, Needs>;
type Own<Of, On, Needs> = Of extends {
  readonly id: infer Id extends RuleId;
  readonly on: readonly (infer Which)[];
  readonly effect: 'execute';
  readonly needs: Needs;
}
  ? [Extract<Which, On>] extends [never]
    ? never
    : Id
  : never;

export const ownRules = <On extends OperationId, const Needs extends readonly string[]>(
  asked: OperationId,
  needs: Needs,
): OwnRule<On, Needs>[] =>
  rules
    .filter(
      ({ on, effect, needs: needed }: Rule) => effect === 'execute' && on.includes(asked) && `${needed}` === `${needs}`,
    )
    .map(({ id }) => id as OwnRule<On, Needs>);
