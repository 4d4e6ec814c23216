export { isTerminal } from '../generated/lifecycle.js';
export type { OperationId } from '../generated/operations.js';
export type {
  AgentProfile,
  AgentProfileUpdate,
  ApiTriggerContext,
  Comment,
  Cookie,
  Credential,
  CredentialUpdate,
  CustomProxy,
  DuplicateProfileRequest,
  ExecuteRequest,
  ExecuteSyncRequest,
  Execution,
  ExecutionFile,
  ExecutionFileDirectories,
  ExecutionFiles,
  ExecutionOptions,
  ExecutionResult,
  ExecutionStatus,
  FilesError,
  FinishedExecution,
  HumanLabel,
  InitialExecutionStatus,
  OtherTriggerContext,
  ParameterError,
  RecordedExecutionOptions,
  ScriptFailure,
  SimpleError,
  StandardError,
  StartedExecution,
  TempFileReference,
  TerminalExecutionStatus,
  TriggerApiKey,
  TriggerContext,
  TriggerRunner,
  UnfinishedExecution,
  UnfinishedExecutionStatus,
} from '../generated/types.js';
export { type CallOptions, createWorkflowClient, type WorkflowClient } from './client.js';
export { WorkflowError, type WorkflowErrorDetails, type WorkflowErrorKind } from './errors.js';
export type { WorkflowClientOptions } from './options.js';
export type { Runtime } from './runtime.js';
export type { ExecutionIn, WaitOptions, Watching, WatchOptions } from './wait.js';
