import { expectTypeOf, test } from 'vitest';
import type { Handlers } from '../../generated/handlers.js';
import { isTerminal } from '../../generated/lifecycle.js';
import type { CallerRuleId, GapId, ObservableGapId, RuleId } from '../../generated/rules.js';
import type {
  AgentProfile,
  ExecuteRequest,
  ExecuteSyncRequest,
  Execution,
  StartedExecution,
  TerminalExecutionStatus,
} from '../../generated/types.js';
import { type requests, schemas } from '../../generated/validators.js';

/** Compiles only for a request that its type allows; tsc is the judge of this file, vitest only runs it. */
const accept = <T>(..._: T[]) => {};

test('a request that breaks an exclusivity does not compile', () => {
  accept<ExecuteRequest>({}, { head: true }, { version: 3 }, { profileId: 'p' }, { profileGroupId: 'g', version: 3 });
  // @ts-expect-error head excludes version
  accept<ExecuteRequest>({ head: true, version: 3 });
  // @ts-expect-error profileId excludes profileGroupId
  accept<ExecuteRequest>({ profileId: 'p', profileGroupId: 'g' });
  // @ts-expect-error head excludes version
  accept<ExecuteSyncRequest>({ head: true, version: 3, timeoutSeconds: 5 });
  // @ts-expect-error profileId excludes profileGroupId
  accept<ExecuteSyncRequest>({ profileId: 'p', profileGroupId: 'g', timeoutSeconds: 5 });
});

test('a field with a default stays optional', () => {
  expectTypeOf<ExecuteRequest['onCapacityLimit']>().extract<undefined | 'queue'>().toEqualTypeOf<undefined | 'queue'>();
  expectTypeOf<ExecuteSyncRequest['timeoutSeconds']>().toEqualTypeOf<number | undefined>();
  accept<ExecuteSyncRequest>({});
});

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

test('isTerminal narrows', () => {
  const status: string = 'failed';
  if (isTerminal(status)) expectTypeOf(status).toEqualTypeOf<TerminalExecutionStatus>();
});
