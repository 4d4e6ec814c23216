import type { OperationId } from '../../generated/operations.js';
import type {
  AgentProfileUpdate,
  DuplicateProfileRequest,
  ExecuteRequest,
  ExecuteSyncRequest,
} from '../../generated/types.js';
import { unnamedNames } from '../behaviour/unnamed.js';

/** The compiler holds these to the contract: a field too many or too few is an error. */
const execute: Record<keyof ExecuteRequest, true> = {
  version: true,
  head: true,
  inputs: true,
  metadata: true,
  executionOptions: true,
  profileId: true,
  profileGroupId: true,
  onCapacityLimit: true,
  tempFiles: true,
  agentProfileId: true,
  agentProfilePoolId: true,
  dynamicData: true,
};
const executeSync: Record<keyof ExecuteSyncRequest, true> = { ...execute, timeoutSeconds: true };
const updateProfile: Record<keyof AgentProfileUpdate, true> = {
  name: true,
  description: true,
  adblockActive: true,
  allow3rdCookies: true,
  cachePersistence: true,
  captchaSolverActive: true,
  extraStealth: true,
  forcePopupsAsTabsActive: true,
  mediaBlockerActive: true,
  pdfViewerActive: true,
  popupBlockerActive: true,
  tracingEnabled: true,
  extensionIds: true,
  inboxEmailPrefix: true,
  proxyType: true,
  proxyGatewayPresetId: true,
  customProxy: true,
  cookiesToAdd: true,
  cookiesToDelete: true,
  credentialsToAdd: true,
  credentialsToDelete: true,
  credentialsToUpdate: true,
};
const duplicateProfile: Record<keyof DuplicateProfileRequest, true> = { organizationId: true };

const none: ReadonlySet<string> = new Set();

/** By operation: the fields that a body may have. Those of a profile that have no shown name count under every name. */
export const knownFields: Readonly<Record<OperationId, ReadonlySet<string>>> = {
  execute: new Set(Object.keys(execute)),
  executeSync: new Set(Object.keys(executeSync)),
  updateProfile: new Set([...Object.keys(updateProfile), ...Object.values(unnamedNames).flat()]),
  duplicateProfile: new Set(Object.keys(duplicateProfile)),
  getExecution: none,
  listExecutionFiles: none,
  deletePool: none,
};
