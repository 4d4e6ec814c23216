import { expectTypeOf, test } from 'vitest';
import type { Handlers } from '../../generated/handlers.js';
import type { CallerRuleId, GapId, ObservableGapId, RuleId } from '../../generated/rules.js';
import type { AgentProfile, Execution, StartedExecution } from '../../generated/types.js';
import { type requests, schemas } from '../../generated/validators.js';

/** Compiles only for a request that its type allows; tsc is the judge of this file, vitest only runs it. */
const accept = <T>(..._: T[]) => {};

test('conditions keep the types complete', () => {
  expectTypeOf<Execution['duration']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Execution['hasBeenRerun']>().toEqualTypeOf<boolean>();
  expectTypeOf<AgentProfile['extensionIds']>().toEqualTypeOf<string[]>();
  // @ts-expect-error an answer carries no password
  accept<AgentProfile['customProxy']>({ password: 'p' });
});

test('validators narrow to the types of the contract', () => {
  const value: unknown = {};
  if (schemas.Execution(value)) expectTypeOf(value).toEqualTypeOf<Execution>();
  expectTypeOf<Parameters<typeof requests.execute>>().toEqualTypeOf<[value: unknown]>();
});

test('a handler must answer with a status and body of its operation', () => {
  type Answer = Awaited<ReturnType<Handlers<unknown>['execute']>>;
  expectTypeOf<Answer>().toEqualTypeOf<{ status: 202; body: StartedExecution }>();
  type Status = Awaited<ReturnType<Handlers<unknown>['executeSync']>>['status'];
  expectTypeOf<Status>().toEqualTypeOf<200 | 202>();
  type Duplicate = Parameters<Handlers<unknown>['duplicateProfile']>[0];
  expectTypeOf<Duplicate>().toHaveProperty('body').toEqualTypeOf<{ organizationId?: string } | undefined>();
});

test('the ids of the register are literal types', () => {
  accept<RuleId>('responses-are-json');
  accept<CallerRuleId>('caller-follows-202');
  accept<GapId>('events-and-webhooks');
  // @ts-expect-error it cannot be observed
  accept<ObservableGapId>('events-and-webhooks');
  // @ts-expect-error no such rule
  accept<RuleId>('no-such-rule');
});
