import type { CallerRuleId } from '../contract.js';
import type { Exchange, Report, RuleVerdict } from '../vocabulary.js';
import type { Resumed } from './resumed.js';
import type { NotRead } from './unreadable.js';

/** What judging recorded traffic gave. What two parts of a recording gave can be merged. */
export interface RecordedRun {
  /** A recording is what it is: there was nobody to ask whether the target can be used. */
  readonly preflight: { readonly usable: true };
  readonly rules: readonly RuleVerdict[];
  readonly callers: readonly RuleVerdict<CallerRuleId>[];
  readonly gaps: Report['gaps'];
  readonly transitions: Report['transitions'];
  /** Those that verdicts show; ids count up by time. */
  readonly exchanges: readonly Exchange[];
  /** The requests that were judged. */
  readonly requests: number;
  /** Requests of other APIs, or to another base URL than the target's. */
  readonly foreign: number;
  /** Requests that were not judged because the recording lacks what was sent or answered. */
  readonly unrecorded: number;
  /** What of the recording is no exchange. */
  readonly unreadable: NotRead;
  /** Requests that were recorded more than once, and judged once. */
  readonly repeated: number;
  readonly resumed: Resumed;
  /** The files that were not in the order of time. */
  readonly unsorted: readonly string[];
  readonly executionsStarted: number;
  /** Where the judged requests went. */
  readonly baseUrls: readonly string[];
  readonly stateful: boolean;
  /** From the first request to the last answer, in milliseconds since the epoch; absent where nothing was judged. */
  readonly span?: { readonly from: number; readonly to: number };
}
