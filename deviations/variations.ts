import type { Execution } from '../generated/types.js';
import type { AppOptions } from '../reference/app.js';
import type { Deviation } from '../reference/deviation.js';
import { Refusal, refuseParameter } from '../reference/errors.js';
import type { ServiceOptions } from '../reference/service.js';
import type { Run } from '../reference/store.js';
import { answering, isFields, isRefusal, showing, type Way, without } from './change.js';

/** A way to conform that no caller expects and every caller has to bear. */
export type Variation =
  | Deviation
  | {
      readonly id: string;
      readonly says: string;
      readonly options: Omit<ServiceOptions, 'deviations'> & AppOptions & { readonly faults?: readonly Deviation[] };
    };

/** What a caller gave is given back as it is. */
const givenBack = ['inputs', 'metadata', 'result', 'customProxy', 'expiry'];

/** Changes every value in every answer, the innermost first. */
const everywhere = (change: (value: unknown) => unknown): Way => {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return change(value.map(within));
    if (!isFields(value)) return change(value);
    const entries = Object.entries(value).map(([name, inner]) => [
      name,
      givenBack.includes(name) ? inner : within(inner),
    ]);
    return change(Object.fromEntries(entries));
  };
  return answering((answer) => (answer.body === undefined ? answer : { ...answer, body: within(answer.body) }));
};

const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value);
const times = (change: (time: string) => string) => everywhere((value) => (isTime(value) ? change(value) : value));
const shifted = (time: string, hours: number) => new Date(Date.parse(time) + hours * 3_600_000).toISOString();

/** Shows an execution otherwise for its first readings after the end. */
const atFirst =
  (readings: number, change: (one: Execution) => object): Way =>
  (base) => {
    const read = new Map<string, number>();
    return {
      presentExecution: (run) => {
        const before = read.get(run.id) ?? 0;
        if (run.terminalAt !== undefined) read.set(run.id, before + 1);
        const one = base.presentExecution(run);
        return before < readings ? (change(one) as Execution) : one;
      },
    };
  };

/** Runs that go straight from start to end. */
const isPlain = ({ workflow }: Run) => workflow.scenario.steps.length === 3;
const lasts = (run: Run) => run.workflow.scenario.steps.reduce((sum, step) => sum + ('ms' in step ? step.ms : 0), 0);

const type = (value: string) => ({ 'Content-Type': value });
/** Refuses a list of cookies that is empty, before it looks at the key. */
const nothingToAdd: Deviation = {
  id: 'nothing-to-add',
  says: 'No cookies to add are refused.',
  behaviour: (base) => ({
    violations: (operation, body) =>
      isFields(body) && Array.isArray(body.cookiesToAdd) && body.cookiesToAdd.length === 0
        ? [{ kind: 'value', parameter: 'cookiesToAdd', detail: 'is empty' }]
        : base.violations(operation, body),
  }),
};

const reversed = <T>(items: readonly T[]): T[] => [...items].reverse();

export const variations: readonly Variation[] = [
  {
    id: 'whole-seconds',
    says: 'Times are cut to whole seconds.',
    behaviour: times((time) => time.replace(/\.\d+/, '')),
  },
  {
    id: 'microseconds',
    says: 'Times have six digits after the second, and a numeric offset.',
    behaviour: times((time) => time.replace(/Z$/, '678+00:00')),
  },
  {
    id: 'local-time',
    says: 'Times are those of another time zone.',
    behaviour: times((time) => shifted(time, 2).replace('Z', '+02:00')),
  },
  {
    id: 'clock-ahead',
    says: 'The clock of the service is an hour ahead.',
    behaviour: times((time) => shifted(time, 1)),
  },
  {
    id: 'clock-behind',
    says: 'The clock of the service is an hour behind.',
    behaviour: times((time) => shifted(time, -1)),
  },
  {
    id: 'coarse-updates',
    says: 'updatedAt is in whole seconds, and may be that of the last update.',
    behaviour: () => ({ touch: (profile, now) => ({ ...profile, updatedAt: Math.floor(now / 1000) * 1000 }) }),
  },
  {
    id: 'ids-in-capitals',
    says: 'Ids are shown in capitals.',
    behaviour: everywhere((value) => (isId(value) ? value.toUpperCase() : value)),
  },
  {
    id: 'more-fields',
    says: 'Every object in an answer has a field that the contract does not name.',
    behaviour: everywhere((value) => (isFields(value) ? { ...value, _links: { self: null } } : value)),
  },
  {
    id: 'more-inputs',
    says: 'Inputs and metadata are joined by defaults of the workflow.',
    behaviour: showing((one) => ({
      ...one,
      inputs: { region: 'eu', ...one.inputs },
      metadata: { team: 'billing', ...one.metadata },
    })),
  },
  {
    id: 'more-directories',
    says: 'A listing has a directory that the contract does not name.',
    behaviour: (base) => ({
      presentFiles: (...args) => {
        const { directories, ...listing } = base.presentFiles(...args);
        return { ...listing, directories: { ...directories, screenshots: [] } };
      },
    }),
  },
  {
    id: 'problem-type',
    says: 'Refusals are application/problem+json.',
    behaviour: answering((answer) =>
      isRefusal(answer) ? { ...answer, headers: type('application/problem+json') } : answer,
    ),
  },
  {
    id: 'charset',
    says: 'Content-Type names a charset.',
    behaviour: answering((answer) => ({
      ...answer,
      headers: { ...answer.headers, ...type('application/json;charset=UTF-8') },
    })),
  },
  {
    id: 'text-json',
    says: 'Content-Type is text/json.',
    behaviour: answering((answer) => ({ ...answer, headers: { ...answer.headers, ...type('text/json') } })),
  },
  {
    id: 'own-words',
    says: 'What is not found is said to be impossible to locate.',
    behaviour: () => ({ runNotFound: () => new Refusal(404, 'Unable to locate that run.') }),
  },
  {
    id: 'plain-ascii',
    says: 'JSON is indented, and escapes what is not ASCII.',
    behaviour: () => ({
      serialise: (_, { body }) =>
        body === undefined
          ? null
          : JSON.stringify(body, null, 4).replace(
              /[^ -~\n]/g,
              (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
            ),
    }),
  },
  {
    id: 'other-orders',
    says: 'Cookies, credentials and extensions are listed the other way round.',
    behaviour: (base) => ({
      presentProfile: (...args) => {
        const shown = base.presentProfile(...args);
        return {
          ...shown,
          cookies: reversed(shown.cookies),
          credentials: reversed(shown.credentials),
          extensionIds: reversed(shown.extensionIds),
        };
      },
    }),
  },
  {
    id: 'no-item-ids',
    says: 'Cookies and credentials have no ids.',
    behaviour: (base) => ({
      presentProfile: (...args) => {
        const shown = base.presentProfile(...args);
        const plain = <T extends object>(items: readonly T[]) =>
          items.map((item) => without(item, 'id') as unknown as T);
        return { ...shown, cookies: plain(shown.cookies), credentials: plain(shown.credentials) };
      },
    }),
  },
  {
    id: 'names-alike',
    says: 'Names that differ in case only are not unique.',
    behaviour: (base) => ({
      checkName: (organization, profile) =>
        [...organization.profiles.values()].some(
          ({ id, name }) => id !== profile.id && name.toLowerCase() === profile.name.toLowerCase(),
        )
          ? refuseParameter(400, 'name', 'is too much like another one')
          : base.checkName(organization, profile),
    }),
  },
  {
    id: 'no-idle-updates',
    says: 'An update that asks for nothing is refused, also one with an empty list, whoever sends it.',
    options: { choices: 'auth-before-validation=no,empty-update=refused', faults: [nothingToAdd] },
  },
  {
    id: 'browsers-keep-cookies',
    says: 'Cookies that browsers met are in the profile a while after they did, and renewed now and then.',
    behaviour: (base) => {
      let shown = 0;
      return {
        presentProfile: (...args) => {
          const profile = base.presentProfile(...args);
          shown += 1;
          const met = { domain: 'met.example', httpOnly: false, key: 'met', name: 'met', secure: true };
          return shown < 4
            ? profile
            : { ...profile, cookies: [...profile.cookies, { ...met, value: shown < 8 ? 'once' : 'again' }] };
        },
      };
    },
  },
  {
    id: 'own-inboxes',
    says: 'Each organization has inboxes at a domain of its own.',
    behaviour: (base) => ({
      inboxOf: (profile) => base.inboxOf(profile).replace('inbox', profile.organizationId.slice(0, 8)),
    }),
  },
  {
    id: 'profiles-for-one',
    says: 'A profile that an execution uses is refused to another one.',
    behaviour: (base) => ({
      selectProfile: (organization, id) => {
        if (organization.profilesInUse.has(id)) throw new Refusal(409, `The profile ${id} is in use.`);
        return base.selectProfile(organization, id);
      },
    }),
  },
  {
    id: 'late-results',
    says: 'A result is recorded a while after the end.',
    behaviour: (base) => ({
      ...atFirst(1, (one) => without(one, 'executionResult'))(base),
      presentSync: (run) => {
        const { status, body } = base.presentSync(run);
        return { status, body: without(body, 'executionResult') } as ReturnType<typeof base.presentSync>;
      },
      resultOf: (run, id, now) => base.resultOf(run, id, now + 500),
    }),
  },
  {
    id: 'late-recordings',
    says: 'Recording and duration are there a while after the end.',
    behaviour: atFirst(1, (one) => without(one, 'recordingUrl', 'browserRecordingUrl', 'duration')),
  },
  {
    id: 'late-files',
    says: 'Files are listed twenty seconds after the end.',
    behaviour: (base) => ({
      filesOf: (...args) => base.filesOf(...args).map((file) => ({ ...file, listedAt: file.listedAt + 20_000 })),
    }),
  },
  {
    id: 'quick-runs',
    says: 'Runs that have nothing to wait for have ended when they are first read.',
    behaviour: (base) => ({
      stepsOf: (run) => (isPlain(run) && lasts(run) < 500 ? base.stepsOf(run).slice(-1) : base.stepsOf(run)),
    }),
  },
  {
    id: 'never-running',
    says: 'Runs that never stop are starting until they end.',
    behaviour: (base) => ({
      stepsOf: (run) =>
        isPlain(run)
          ? base.stepsOf(run).map((step) => (step.status === 'running' ? { ...step, status: 'starting' } : step))
          : base.stepsOf(run),
    }),
  },
  { id: 'no-latency', says: 'Answers take no time.', options: { latencyMs: 0 } },
  { id: 'some-latency', says: 'Answers take a tenth of a second.', options: { latencyMs: 100 } },
  { id: 'half-speed', says: 'Runs take twice as long.', options: { speed: 0.5 } },
  {
    id: 'one-at-a-time',
    says: 'The organization may run one execution at a time.',
    options: { limits: { concurrency: 1 } },
  },
  {
    id: 'three-at-a-time',
    says: 'The organization may run three executions at a time.',
    options: { limits: { concurrency: 3 } },
  },
  {
    id: 'behind-a-gateway',
    says: 'The service has a path of its own before that of the interface.',
    options: { basePath: '/tenants/acme' },
  },
];
