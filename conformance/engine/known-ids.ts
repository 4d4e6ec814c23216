/** The ids of the interface, as far as the compiler knows them. */

/** The ids of an interface, by kind. The suite adds them: `declare module '…/engine/known-ids.js' { interface KnownIds {…} }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging.
export interface KnownIds {}
type Ids<Kind extends string> = KnownIds extends { readonly [kind in Kind]: infer Id extends string } ? Id : string;

export type OperationId = Ids<'operation'>;
/** Operations that start something that then goes on by itself. */
export type StartId = Ids<'start'>;
export type RuleId = Ids<'rule'>;
export type CallerRuleId = Ids<'callerRule'>;
export type GapId = Ids<'gap'>;
export type StatementId = Ids<'statement'>;
export type State = Ids<'state'>;
/** A field of the body of a start that is not deprecated. */
export type StartField = Ids<'startField'>;
/** The worst effect that judging a rule has on a target. Each includes those before it. */
export type Effect = Ids<'effect'>;
