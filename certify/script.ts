/** The vocabulary of scripts: situations that `certify` puts a caller into. */

import type { OperationId, PresentField } from '../generated/operations.js';
import type { CallerRuleId } from '../generated/rules.js';
import type { ScenarioName } from '../reference/scenarios.js';

/** A request that arrives: the nth of its operation, counted from 1. */
export interface Arrival {
  readonly operation: OperationId | null;
  readonly nth: number;
}

export type Json = Readonly<Record<string, unknown>>;

/** What happens to a request on its way. `after`: the service has handled it; otherwise it never sees it. */
export type Mishap =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: Json;
      readonly after: boolean;
    }
  | { readonly kind: 'break'; readonly after: boolean }
  | { readonly kind: 'cut' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'change'; readonly change: (answer: Json) => Json };

/** A situation that a caller is put into. */
export interface Script {
  readonly id: string;
  /** What the service does. */
  readonly says: string;
  /** What a good caller does. */
  readonly good: string;
  /** The rules that it shows evidence for. */
  readonly rules: readonly CallerRuleId[];
  /** The rule that a caller breaks only because it drops a field of `request`. */
  readonly rests?: CallerRuleId;
  /** What the interface leaves open here, so that it is not judged. */
  readonly open: string;
  /** The job of the caller: to bring an execution to its end, started in this way, or to look after a profile. */
  readonly job: 'async' | 'sync' | 'profile';
  /** What executions of the workflow do. */
  readonly workflow: ScenarioName;
  /** The body to start it with. */
  readonly request?: { readonly [field in PresentField<'executeSync'>]?: unknown };
  /** The profile group is full when the caller asks for it. */
  readonly isFull?: true;
  /** The script depends on seconds of the interface, so its executions do not run faster. */
  readonly inRealTime?: true;
  readonly mishap?: (arrival: Arrival) => Mishap | undefined;
}

/** What any caller is told, as environment variables. */
export interface Assignment {
  readonly CERTIFY_SCRIPT: string;
  /** `async`, `sync` or `profile`. */
  readonly CERTIFY_JOB: Script['job'];
  /** JSON: the body to start the workflow with. */
  readonly CERTIFY_REQUEST: string;
  /** The id to look up when the answer to a start is lost: the execution has it if the start took effect. */
  readonly CERTIFY_EXECUTION_ID: string;
  readonly BASE_URL: string;
  readonly WORKFLOW_API_KEY: string;
  readonly WORKFLOW_ID: string;
  readonly PROFILE_ID: string;
  readonly PROFILE_GROUP_ID: string;
  readonly POOL_ID: string;
}
