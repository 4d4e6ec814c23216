/**
 * The suite for programs: what the command `check` does, in parts.
 *
 *   readTarget ──▶ check ──▶ conclude ──▶ assemble ──▶ writeReport
 *   fileSource ──▶ judgeRecordings ──▶ conclude ──▶ assembleRecording ──▶ writeReport
 */
export { type CallerRule, callers, type Gap, gaps, type Rule, rules } from '../generated/rules.js';
export { type CheckOptions, check, type Run } from './check.js';
export { type Conclusion, conclude, type Demands } from './conclude.js';
export type { Clock } from './drive/clock.js';
export { fileJournal } from './drive/journal/file-journal.js';
export { type CopiesEntry, type Journal, noJournal, type ProfileEntry } from './drive/journal/journal.js';
export type { Progress } from './drive/progress.js';
export { type Transport, TransportError, type WireRequest, type WireResponse } from './drive/wire/transport.js';
export { type Plan, type PlannedStep, plan } from './plan.js';
export type { Bounds } from './recording/bounds.js';
export { RecordingError } from './recording/error.js';
export { judgeRecordings, type RecordingOptions } from './recording/judge-recording.js';
export { mergeRuns } from './recording/merge.js';
export type { RecordedRun } from './recording/recorded-run.js';
export { assembleRecording, runOf } from './recording/report.js';
export { fileSource, type Source } from './recording/source.js';
export { assemble } from './report/assemble.js';
export { type Comparison, compare } from './report/compare.js';
export { type ConsoleOptions, consoleReport } from './report/console.js';
export type { ReportFormat } from './report/formats.js';
export { type ReportOptions, reportPieces, writeReport } from './report/index.js';
export { ReportError, readReport } from './report/read.js';
export { type BaselineEntry, baselineText, parseBaseline, readBaseline } from './settings/baseline.js';
export { SettingsError } from './settings/file.js';
export { type Pins, pinText, readPins } from './settings/pins.js';
export { makeTarget, type TargetOptions } from './settings/target/make.js';
export { parseTarget, readTarget } from './settings/target/read.js';
export { type Target, type TargetFile, toTarget } from './settings/target/target.js';
export type * from './vocabulary.js';
