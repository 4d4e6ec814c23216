import { couplings, plainFlags, type ShownFlag, shownFlags, words } from '../generated/flags.js';
import { type OperationId, operationIds } from '../generated/operations.js';
import { samples } from '../generated/samples.js';
import type { TriggerContext } from '../generated/types.js';
import type { Choices } from './choices.js';
import {
  agent,
  executionIds,
  keys,
  organizationIds,
  poolIds,
  profileIds,
  publishedVersion,
  scenarioNames,
  tempFile,
  user,
  uuid,
  workflowIds,
} from './fixtures.js';
import { type ScenarioName, scenarios } from './scenarios.js';
import {
  type ApiKey,
  createOrganization,
  type Organization,
  type Profile,
  type Store,
  type Workflow,
} from './store.js';

/** The initial state of a service. What it contains happened in the hour before `now`. */
export function seed(
  now: number,
  choices: Choices,
  denied: readonly OperationId[] = operationIds,
  workflows: readonly Workflow[] = [],
): Store {
  const own = createOrganization(organizationIds.own);
  const other = createOrganization(organizationIds.other);
  const began = now - 3_600_000;

  for (const name of scenarioNames) own.workflows.set(workflowIds[name], workflow(name));
  for (const added of workflows) own.workflows.set(added.id, added);
  for (const profile of profiles(own, began)) own.profiles.set(profile.id, profile);
  const spares = Array.from({ length: profileIds.spares }, (_, index) => uuid('b', profileIds.spare + index));
  for (const [id, members] of [
    [poolIds.spare, spares],
    [poolIds.held, [profileIds.held]],
    [poolIds.deletable, [profileIds.otherProfile]],
  ] as const)
    own.pools.set(id, { id, profileIds: members });
  own.tempFiles.set(tempFile.id, tempFile);
  seedRuns(own, began, choices['trigger-sources']);

  const stranger = plainProfile(other, uuid('b', 4), 'Profile of another organization', began);
  other.profiles.set(stranger.id, stranger);

  return {
    organizations: new Map([own, other].map((organization) => [organization.id, organization])),
    keys: new Map(apiKeys(denied).map((key) => [key.secret, key])),
  };
}

function apiKeys(denied: readonly OperationId[]): ApiKey[] {
  const { own, other } = organizationIds;
  const key = (number: number, name: string, secret: string, rest: Partial<ApiKey> = {}): ApiKey => {
    const id = uuid('1', number);
    const { admin = false } = rest;
    const trigger = { source: 'api', runner: { ...user, isAdmin: admin }, apiKey: { id, name } } as const;
    return { id, name, secret, trigger, organizationId: own, admin, denied: [], organizations: [own, other], ...rest };
  };
  return [
    key(1, 'Full', keys.full),
    key(2, 'Restricted', keys.restricted, { denied }),
    key(3, 'Admin', keys.admin, { admin: true }),
    key(4, 'Other organization', keys.otherOrganization, { organizationId: other, organizations: [other] }),
  ];
}

const workflow = (name: ScenarioName): Workflow => ({
  id: workflowIds[name],
  scenario: scenarios[name],
  variantMode: name === 'variantMode',
  publishedVersion,
  versions: [1, 2, publishedVersion],
  agent,
});

const allOff = Object.fromEntries(shownFlags.map((flag) => [flag, false])) as Record<ShownFlag, boolean>;

const plainProfile = (organization: Organization, id: string, name: string, at: number): Profile => ({
  id,
  name,
  organizationId: organization.id,
  description: '',
  createdAt: at,
  updatedAt: at,
  ...allOff,
  extensionIds: [],
  inboxEmailPrefix: undefined,
  cookies: [],
  credentials: [],
  customProxy: undefined,
  proxyMode: 'none',
  operatingSystem: 'windows',
  proxyCountry: undefined,
});

const profiles = (own: Organization, at: number): Profile[] => [
  {
    ...plainProfile(own, profileIds.profile, 'Nordwind portal', at),
    description: 'Signs in to the portal of Nordwind.',
    ...Object.fromEntries(couplings.flatMap(({ flag, needs }) => [flag, needs]).map((flag) => [flag, true])),
    ...Object.fromEntries(plainFlags.slice(1, 2).map((flag) => [flag, true])),
    extensionIds: [uuid('2', 1)],
    cookies: [{ ...samples.Cookie.minimal, id: uuid('3', 1), createdAt: new Date(at).toISOString() }],
    credentials: [{ ...samples.Credential.minimal, id: uuid('4', 1), createdAt: new Date(at).toISOString() }],
    customProxy: { server: 'proxy.example.com:3128', username: 'nordwind', password: 'not-a-real-password' },
    ...Object.fromEntries(words.map(({ field, word }) => [field, word])),
    proxyMode: 'custom',
  },
  { ...plainProfile(own, profileIds.otherProfile, 'Südwind portal', at), proxyMode: 'managed', proxyCountry: 'de' },
  plainProfile(own, profileIds.held, 'One at a time', at),
  ...Array.from({ length: profileIds.spares }, (_, index) =>
    plainProfile(own, uuid('b', profileIds.spare + index), `Spare ${index + 1}`, at),
  ),
];

function seedRuns(own: Organization, at: number, source: Choices['trigger-sources']): void {
  const ran = own.workflows.get(workflowIds.completes);
  if (!ran) return;
  const trigger: TriggerContext | undefined = source === 'none' ? undefined : { source, runner: user };
  const iso = new Date(at).toISOString();
  const run = (id: string, number: number) => ({
    id,
    organization: own,
    workflow: ran,
    start: {
      head: false,
      queue: false,
      tempFiles: [],
      inputs: { supplier: 'Nordwind' },
      metadata: { customer: 'acme' },
    },
    pool: undefined,
    sharedStorageKey: undefined,
    trigger,
    createdAt: at,
    weight: 0,
    status: 'completed' as const,
    profile: { id: profileIds.profile, name: 'Nordwind portal' },
    startedAt: at,
    terminalAt: at + 250_000,
    result: {
      id: uuid('5', number),
      executionId: id,
      outcome: 'success' as const,
      reasoning: 'All that was asked for was found.',
      result: { invoices: 2 },
      createdAt: new Date(at + 250_000).toISOString(),
    },
    files: [],
    hasBeenRerun: false,
    comments: [],
    humanLabels: [],
  });
  own.runs.set(executionIds.seeded, {
    ...run(executionIds.seeded, 1),
    hasBeenRerun: true,
    files: [
      {
        id: uuid('8', 1),
        directory: 'downloads',
        name: 'invoices.csv',
        text: 'number,amount\n17,12.50\n18,99.00\n',
        mimeType: 'text/csv',
        listedAt: at + 250_000,
      },
    ],
    comments: [
      {
        id: uuid('6', 1),
        executionId: executionIds.seeded,
        content: 'Both invoices are booked.',
        public: true,
        userId: user.userId,
        createdAt: iso,
        updatedAt: iso,
      },
    ],
    humanLabels: [{ id: uuid('7', 1), name: 'Checked', color: '#2e7d32', organizationId: own.id, createdAt: iso }],
  });
  own.runs.set(executionIds.rerun, { ...run(executionIds.rerun, 2), parentExecutionId: executionIds.seeded });
}
