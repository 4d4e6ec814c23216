import type { OperationId } from '../generated/operations.js';
import type { CallerRuleId } from '../generated/rules.js';
import type { ScenarioName } from '../reference/scenarios.js';

/** A request as it arrives: which of its operation it is, counted from 1. */
export interface Arrival {
  readonly operation: OperationId | undefined;
  readonly nth: number;
}

export type Json = Readonly<Record<string, unknown>>;

/** What happens to a request on its way. `after`: the service has acted on it; else it never hears of it. */
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

/** One situation that a caller is put into. */
export interface Script {
  readonly id: string;
  /** What the service does. */
  readonly says: string;
  /** What a good caller does. */
  readonly good: string;
  /** The rules that it gives evidence for. */
  readonly rules: readonly CallerRuleId[];
  /** What the interface leaves open about it: seen, and not judged. */
  readonly open: string;
  /** What the caller is asked to do: bring an execution to its end, started in this way, or look after a profile. */
  readonly job: 'async' | 'sync' | 'profile';
  /** What the workflow does by itself. */
  readonly workflow: ScenarioName;
  /** The body to start it with. */
  readonly request?: Json;
  /** All that could run it is in use when the caller asks for it. */
  readonly isFull?: true;
  /** It counts in seconds of the interface: its run goes no faster than usual. */
  readonly inRealTime?: true;
  readonly mishap?: (arrival: Arrival) => Mishap | undefined;
}

/** What the caller is told, whoever it is: variables of its environment. */
export interface Assignment {
  readonly CERTIFY_SCRIPT: string;
  /** `async`, `sync` or `profile`. */
  readonly CERTIFY_JOB: Script['job'];
  /** JSON: the body to start the workflow with. */
  readonly CERTIFY_REQUEST: string;
  /** Where to look when the answer to a start is lost: the id that the execution has if the start took effect. */
  readonly CERTIFY_EXECUTION_ID: string;
  readonly BASE_URL: string;
  readonly WORKFLOW_API_KEY: string;
  readonly WORKFLOW_ID: string;
  readonly PROFILE_ID: string;
  readonly PROFILE_GROUP_ID: string;
  readonly POOL_ID: string;
}
