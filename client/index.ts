export type { OperationId } from '../generated/operations.js';
export type * from '../generated/schemas.js';
export { type Answer, Call } from './call.js';
export { type CallOptions, createWorkflowClient, type OptionsOf, type WorkflowClient } from './client.js';
export { WorkflowError, type WorkflowErrorDetails, type WorkflowErrorKind } from './errors.js';
export type { DownloadedFile, DownloadOptions } from './files.js';
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from './hooks.js';
export type { ApiKey, FetchAnswer, FetchInit, WorkflowClientOptions } from './options.js';
export type {
  AgentProfileUpdate,
  DuplicateProfileRequest,
  ExecuteRequest,
  ExecuteSyncRequest,
  Given,
  HeadersGiven,
} from './requests.js';
export { resultOf, type StandardSchema } from './results.js';
export type { RunAllOptions, RunItem, RunResult } from './run-all.js';
export type { Runtime } from './runtime.js';
export { isTerminal } from './terminal.js';
export { isApiTrigger } from './trigger.js';
export type { ExecutionIn, WaitOptions, Watching, WatchOptions } from './wait.js';
