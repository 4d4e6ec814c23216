import { flags } from './checks.js';
import type { Execution, Fields, Profile, State, Status, Workflow } from './state.js';
import type { Way, WayId } from './ways.js';

const hex = (kind: string, n: number): string => `${kind.padEnd(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const keys = {
  primary: 'independent-primary-key-5f0c',
  service: 'independent-service-key-91aa',
  restricted: 'independent-restricted-key-7b3e',
  restrictedService: 'independent-restricted-service-key-c204',
};

const toTheEnd = (status: Status): Workflow['steps'] => [
  [60, 'running'],
  [150, status],
];
const workflow = (n: number, steps: Workflow['steps'], more: Partial<Workflow> = {}): Workflow => ({
  id: hex('11', n),
  agentId: hex('22', n % 2),
  steps,
  ...more,
});
const workflows = {
  completes: workflow(1, toTheEnd('completed')),
  fails: workflow(2, toTheEnd('failed')),
  cancelled: workflow(3, toTheEnd('cancelled')),
  pauses: workflow(4, toTheEnd('paused')),
  pausesByAgent: workflow(5, toTheEnd('paused_by_agent')),
  awaitsConfirmation: workflow(6, toTheEnd('awaiting_confirmation')),
  slow: workflow(7, [
    [60, 'running'],
    [7000, 'completed'],
  ]),
  variantMode: workflow(8, toTheEnd('completed'), { variantMode: true }),
  writesFiles: workflow(9, toTheEnd('completed'), { writesFiles: true }),
  holds: workflow(10, [
    [60, 'running'],
    [1000, 'completed'],
  ]),
};

const profile = (n: number, now: number, organizationId: string, way: Way, settings: Fields): Profile => ({
  id: hex('33', n),
  organizationId,
  createdAt: now - 90_000_000,
  updatedAt: now - 80_000_000,
  settings: {
    name: `Profile ${n}`,
    description: '',
    ...Object.fromEntries(flags.map((flag) => [flag, flag === 'adblockActive'])),
    stickyIP: false,
    extensionIds: [],
    ...settings,
  },
  cookies: [1, 2].map((c) => ({
    id: way.id(hex('44', n * 10 + c)),
    createdAt: way.time(now - 80_000_000),
    domain: 'example.com',
    httpOnly: c === 1,
    key: `k${c}`,
    name: `session${c}`,
    secure: true,
    value: `v-${c}`,
    ...(c === 2 && { expiry: way.time(now + 900_000_000) }),
  })),
  credentials: [1, 2].map((c) => ({
    id: way.id(hex('55', n * 10 + c)),
    createdAt: way.time(now - 80_000_000),
    data: `secret-${c}`,
    name: c === 1 ? 'Login' : 'mail box',
  })),
  updates: 0,
});

/** An execution of days ago, with all that one can have. */
function history(now: number, way: Way, organization: string): Execution {
  const id = hex('66', 1);
  const at = now - 50_000_000;
  const time = way.time(at);
  return {
    id,
    order: 0,
    workflow: workflows.completes,
    createdAt: at - 61_000,
    status: 'completed',
    sync: false,
    waited: false,
    inputs: { old: true },
    terminalAt: at,
    runningAt: at - 60_000,
    result: { id: hex('66', 2), executionId: id, outcome: 'success', reasoning: 'Done.', result: [1], createdAt: time },
    more: {
      hasBeenRerun: true,
      parentExecutionId: hex('66', 3),
      comments: [
        { id: hex('66', 4), executionId: id, content: 'Ça va', public: true, userId: hex('66', 5), createdAt: time },
      ],
      humanLabels: [{ id: hex('66', 6), name: 'good', color: '#0f0', organizationId: organization, createdAt: time }],
      scriptFailures: [{ occurredAt: time, error: 'Exit 1', failedLine: 3, step: 1 }],
      triggerContext: { source: 'schedule' },
    },
    files: [],
    reads: 0,
    asked: {},
  };
}

const byId = <T extends { readonly id: string }>(list: readonly T[]): Map<string, T> =>
  new Map(list.map((one) => [one.id, one]));

export function fixtures(wayId: WayId, way: Way, now: number) {
  const organization = hex('77', 1);
  const otherOrganization = hex('77', 2);
  const used = profile(1, now, organization, way, {
    description: 'For the shop',
    extraStealth: true,
    extensionIds: [way.id(hex('88', 1))],
    [way.proxyNames.mode]: 'managed',
    [way.proxyNames.system]: 'windows',
    [way.proxyNames.country]: 'de',
    proxyType: 'basic',
    ...(wayId === 'a' && { customProxy: { server: 'http://proxy.example.com:8080', username: 'u' } }),
  });
  const other = profile(2, now, organization, way, {});
  const members = [3, 4, 5, 6, 7, 8, 9].map((n) => profile(n, now, organization, way, {}));
  const groupOf = (n: number, from: number, to: number) => ({
    id: hex('99', n),
    profileIds: members.slice(from, to).map(({ id }) => id),
  });
  const groups = {
    spare: groupOf(1, 0, 3),
    pool: groupOf(2, 3, 4),
    capacity: groupOf(3, 4, 4 + way.capacity),
  };
  const tempFile = { id: hex('aa', 1), name: 'orders.csv' };
  const past = history(now, way, organization);
  const state: State = {
    organization,
    otherOrganization,
    workflows: byId(Object.values(workflows)),
    executions: byId(way.history ? [past] : []),
    profiles: byId([used, other, ...members]),
    groups: byId(Object.values(groups)),
    tempFiles: new Map([[tempFile.id, tempFile.name]]),
    queue: [],
  };
  const { holds, ...declared } = workflows;
  const target = {
    baseUrl: 'http://independent.test',
    stateful: true,
    allow: 'delete' as const,
    apiKeys: {
      primary: keys.primary,
      ...(way.separateServiceKey && { serviceAgents: keys.service }),
      ...(way.denied.length > 0 && {
        restricted: {
          key: keys.restricted,
          ...(way.separateServiceKey && { serviceAgents: keys.restrictedService }),
          denied: [...way.denied],
        },
      }),
    },
    workflows: Object.fromEntries(Object.entries(declared).map(([name, { id }]) => [name, id])),
    publishedVersion: 3,
    ...(way.history && { execution: past.id }),
    profile: used.id,
    otherProfile: other.id,
    profileGroup: groups.spare.id,
    pool: groups.pool.id,
    otherOrganization,
    tempFile,
    agentHardTimeoutMins: 60,
    capacity: { profileGroup: groups.capacity.id, size: way.capacity, workflow: holds.id, exclusive: true },
    pace: { requestsPerSecond: 200, concurrency: 8, patienceSeconds: 30, latencyGraceMs: 200 },
  };
  return { state, target };
}
