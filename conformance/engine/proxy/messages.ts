import type { OnViolation } from '../recording/judging.js';
import type { RecordedRun } from '../recording/merge.js';
import type { Passed } from './passed.js';

export type Violation = Parameters<OnViolation>[0];

export type ToWorker =
  | { readonly kind: 'passed'; readonly passed: readonly Passed[]; readonly bytes: number }
  | { readonly kind: 'leave-out'; readonly history: string; readonly baseUrl: string }
  | { readonly kind: 'finish' };

export type ToMain =
  | { readonly kind: 'taken'; readonly bytes: number }
  | { readonly kind: 'violation'; readonly violation: Violation }
  /** The record ends before the traffic does. */
  | { readonly kind: 'unwritable'; readonly error: { readonly code?: string; readonly message: string } }
  | { readonly kind: 'run'; readonly run: RecordedRun };
