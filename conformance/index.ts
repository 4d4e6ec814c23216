/**
 * The suite for programs: what the command `check` does, in parts.
 *
 *   readTarget ──▶ check ──▶ conclude ──▶ assemble ──▶ writeReport
 *   fileSource ──▶ judgeRecordings ──▶ conclude ──▶ assembleRecording ──▶ writeReport
 */
import './suite/contract.js';

export { type CallerRule, callers, type Gap, gaps, type Rule, rules } from '../generated/rules.js';
export { type CheckOptions, check, type Run } from './check.js';
export { type Transport, TransportError, type WireRequest, type WireResponse } from './engine/http/transport.js';
export type { Bounds } from './engine/recording/histories.js';
export { mergeRuns, runOf } from './engine/recording/merge.js';
export { judgeRecordings, type RecordingOptions } from './engine/recording/pipeline.js';
export { RecordingError } from './engine/recording/raw.js';
export type { RecordedRun } from './engine/recording/recorded-run.js';
export { assembleRecording } from './engine/recording/report.js';
export { fileSource, type Source } from './engine/recording/source.js';
export { compare } from './engine/report/compare.js';
export { type ConsoleOptions, consoleReport } from './engine/report/console.js';
export { type ReportOptions, reportPieces, writeReport } from './engine/report/index.js';
export { assemble, ReportError, readReport } from './engine/report/json.js';
export { type Conclusion, conclude, type Demands } from './engine/rule/verdicts.js';
export type { Clock } from './engine/send/clock.js';
export {
  type CopiesEntry,
  copiesIn,
  type KnownCopies,
  type KnownCopy,
  noKnownCopies,
} from './engine/send/known-copies.js';
export type { Progress } from './engine/send/recorder.js';
export {
  type BaselineEntry,
  baselineText,
  type Pins,
  parseBaseline,
  pinText,
  readBaseline,
  readPins,
} from './engine/settings/baseline.js';
export { SettingsError } from './engine/settings/file.js';
export type * from './engine/vocabulary/report.js';
export type { ReportFormat } from './engine/vocabulary/report.js';
export type * from './engine/vocabulary.js';
export { plan } from './plan.js';
export { makeTarget, parseTarget, readTarget, type TargetOptions } from './suite/target/read.js';
export { type TargetFile, toTarget } from './suite/target/target.js';
