import { flags } from './checks.js';
import { type Execution, type Fields, isTerminal, type Profile, type State } from './state.js';
import type { Way } from './ways.js';

export const directories = ['debug', 'downloads', 'shared', 'tracing', 'uploads', 'workspace'];

export function executionView(execution: Execution, way: Way, state: State): Fields {
  const { workflow, status, terminalAt, profileId, inputs, metadata, options } = execution;
  const profile = profileId === undefined ? undefined : state.profiles.get(profileId);
  const live = `https://live.example.com/${execution.id}`;
  const recording = `https://recordings.example.com/${execution.id}`;
  return {
    id: execution.id,
    agentId: way.id(workflow.agentId),
    agentName: 'Clerk',
    organizationId: way.id(state.organization),
    workflowId: way.id(workflow.id),
    status: status === 'queued' ? way.queuedReads : status,
    createdAt: way.time(execution.createdAt),
    hasBeenRerun: false,
    comments: [],
    humanLabels: [],
    ...(profile && { agentProfileId: way.id(profile.id), agentProfileName: String(profile.settings.name) }),
    ...(way.environment && status === 'running' && { liveViewUrl: live, browserLiveViewUrl: live }),
    ...(way.environment && isTerminal(status) && { recordingUrl: recording, browserRecordingUrl: recording }),
    ...(isTerminal(status) &&
      terminalAt !== undefined && {
        duration: way.duration(terminalAt - (execution.runningAt ?? execution.createdAt)),
      }),
    ...(terminalAt !== undefined && way.showsTerminalAt && { terminalAt: way.time(terminalAt) }),
    ...((options || way.emptyWhenUnset) && { executionOptions: { ...options } }),
    ...(execution.result && { executionResult: { ...execution.result } }),
    ...((inputs || way.emptyWhenUnset) && { inputs: structuredClone(inputs ?? {}) }),
    ...((metadata || way.emptyWhenUnset) && { metadata: { ...metadata } }),
    ...(way.showsTrigger !== 'none' && {
      triggerContext: {
        source: 'api',
        apiKey: { id: way.id('00000000-0000-4000-8000-00000000aaaa'), name: 'first' },
        ...(way.showsTrigger === 'runner' && {
          runner: {
            email: 'runner@example.com',
            userId: way.id('00000000-0000-4000-8000-00000000bbbb'),
            isAdmin: false,
          },
        }),
      },
    }),
    ...way.extra,
    ...execution.more,
  };
}

export function filesView(execution: Execution, way: Way, now: number): Fields {
  const written = execution.runningAt ?? execution.createdAt;
  const tracked = now >= written + way.filesLagMs ? execution.files : [];
  return {
    directories: Object.fromEntries(
      directories.map((name) => [name, tracked.filter((file) => file.directory === name).map((file) => ({ ...file }))]),
    ),
    lastUpdated: way.time(now),
    ...way.extra,
  };
}

export function profileView(profile: Profile, way: Way): Fields {
  const { inboxEmailPrefix, customProxy, ...settings } = profile.settings;
  const prefix = typeof inboxEmailPrefix === 'string' ? inboxEmailPrefix : way.id(profile.id).slice(0, 8);
  return {
    id: way.id(profile.id),
    organizationId: way.id(profile.organizationId),
    createdAt: way.time(profile.createdAt),
    updatedAt: way.time(profile.updatedAt),
    ...Object.fromEntries(flags.map((flag) => [flag, false])),
    stickyIP: false,
    ...structuredClone(settings),
    inboxEmail: `${prefix}@inbox.example.com`,
    ...(way.showsPrefix && inboxEmailPrefix !== undefined && { inboxEmailPrefix }),
    ...(customProxy !== undefined && { customProxy: structuredClone(customProxy) }),
    cookies: structuredClone(profile.cookies),
    credentials: profile.credentials.map((one) => ({ ...one, data: way.mask(String(one.data)) })),
    ...way.extra,
  };
}
