/**
 * Describes this interface to the engine. Nearly all of it is generated from the contract. Whatever uses the engine
 * imports this file for its side effect.
 */
import { executionStatuses, isTerminal, shownTransitions } from '../../generated/lifecycle.js';
import {
  contractVersion,
  type OperationId as Id,
  keyHeaders,
  type OperationWith,
  operationIds,
  operations,
  type PresentField,
} from '../../generated/operations.js';
import type * as register from '../../generated/rules.js';
import { callers, gaps, rules, statements } from '../../generated/rules.js';
import { pathPrefix } from '../../generated/sends.js';
import type { ExecutionStatus } from '../../generated/types.js';
import { requests } from '../../generated/validators.js';
import manifest from '../../package.json' with { type: 'json' };
import { type Contract, describe } from '../engine/contract.js';
import { provide } from '../engine/suite.js';
import { LostStarts } from './callers/lost-starts.js';
import { byState, certainPart, mergeObservations, transitionGaps, transitions } from './executions/gaps.js';
import { callerJudges, judges, observers } from './judges.js';
import { credentialHeaders } from './keys/headers.js';
import { maskOf } from './profiles/mask.js';
import { isNoop } from './profiles/settings.js';
import { schemas } from './schemas.js';
import { effects } from './target/roles.js';
import { allKeys, unknownTarget } from './target/target.js';
import { historyBy, historyOf, newHistory } from './views.js';

type Start = OperationWith<{ effect: 'starts'; resource: 'execution' }>;

declare module '../engine/contract.js' {
  interface KnownIds {
    readonly operation: Id;
    readonly start: Start;
    readonly rule: register.RuleId;
    readonly callerRule: register.CallerRuleId;
    readonly gap: register.GapId;
    readonly effect: register.Effect;
    readonly statement: register.StatementId;
    readonly state: ExecutionStatus;
    readonly startField: PresentField<'executeSync'>;
  }
}

const contract: Contract = {
  version: contractVersion,
  operations,
  operationIds,
  keyHeaders,
  prefix: `${pathPrefix}/`,
  rules,
  callers,
  openFields: schemas.openFields(),
  gaps,
  statements,
  effects,
  requests,
  errorBody: { code: 'code', message: 'message', others: ['detail', 'instance'] },
  // Maintenance pages in JSON may have a `status` too, but no other field of an execution.
  successFields: { getExecution: ['id', 'agentId', 'organizationId', 'workflowId'] },
  startedId: 'executionId',
  kinds: { started: 'execution', copied: 'profile' },
  readOperation: 'getExecution',
  states: executionStatuses,
  isTerminal,
  shownTransitions,
};

describe(contract);

provide({
  version: manifest.version,
  keys: { all: allKeys, headers: credentialHeaders },
  effectNeededFor: (declared) => (declared.startsWith('workflows.') ? 'execute' : undefined),
  unknownTarget,
  histories: { of: historyOf, by: historyBy, begin: newHistory },
  followUps: (onFollowUp) => new LostStarts(onFollowUp),
  certainPart,
  mergeObservations,
  transitionGaps,
  transitions,
  byState,
  observers,
  judges,
  callerJudges,
  isNoop,
  maskOf,
});
