import { type Operation, operations, type Value } from './state.js';

/** What a request can be refused for. */
export type Problem =
  | 'no-key'
  | 'forbidden'
  | 'malformed-id'
  | 'unknown-execution'
  | 'unknown-profile'
  | 'unknown-pool'
  | 'unknown-workflow'
  | 'unknown-named'
  | 'unknown-field'
  | 'not-json'
  | 'no-body'
  | 'empty-update'
  | 'wrong-type'
  | 'out-of-bounds'
  | 'exclusive'
  | 'capacity'
  | 'temp-queue'
  | 'variant'
  | 'name-taken'
  | 'popup'
  | 'unknown-organization'
  | 'not-found';

export type WayId = 'a' | 'b' | 'c' | 'd';

/** One way to fill what the interface leaves open. */
export interface Way {
  /** Ids in the letters of this way. */
  readonly id: (hex: string) => string;
  readonly uuidVersion: number;
  readonly time: (ms: number) => string;
  readonly statuses: Partial<Record<Problem, number>>;
  /** On those operations whose statuses the interface lists. */
  readonly listed: Partial<Record<Problem, number>>;
  readonly problem: 'minimal' | 'partial' | 'full';
  readonly codeOf: (status: number) => number;
  readonly filesError: 'simple' | 'standard';
  readonly errorType: string;
  readonly jsonType: string;
  /** How many times as long everything takes. */
  readonly tempo: number;
  readonly separateServiceKey: boolean;
  readonly denied: readonly Operation[];
  readonly strictFields: boolean;
  readonly needsBody: boolean;
  readonly emptyUpdate: boolean;
  readonly tempQueue: 'always' | 'at-capacity';
  readonly earlyWhenPaused: boolean;
  readonly queuedReads: 'queued' | 'starting';
  readonly fromQueue: 'starting' | 'running';
  readonly environment: boolean;
  readonly filesLagMs: number;
  readonly mask: (data: string) => string;
  readonly copyStatus: number;
  readonly copyName: (name: string, n: number) => string;
  readonly poolAnswer: readonly [status: number, body?: Value];
  readonly proxyNames: { readonly mode: string; readonly system: string; readonly country: string };
  readonly showsPrefix: boolean;
  readonly showsTerminalAt: boolean;
  readonly showsTrigger: 'runner' | 'bare' | 'none';
  readonly resultOnFailure: boolean;
  readonly storageKey: (variantKey: string) => string | undefined;
  readonly emptyWhenUnset: boolean;
  readonly duration: (ms: number) => number;
  readonly capacity: number;
  readonly unknownInSets: 'ignored' | 'refused';
  readonly conditional: 'kept' | 'ignored' | 'refused';
  readonly extra: Readonly<Record<string, Value>>;
  readonly touches: 'change' | 'request';
  readonly history: boolean;
}

const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'variant';

const withOffset = (ms: number, hours: number): string =>
  new Date(ms + hours * 3_600_000).toISOString().replace('Z', `000+0${hours}:00`);

/** Says all that it may say, at once. */
const a: Way = {
  id: (hex) => hex,
  uuidVersion: 4,
  time: (ms) => new Date(ms).toISOString(),
  statuses: { capacity: 429, 'unknown-named': 404 },
  listed: {},
  problem: 'full',
  codeOf: (status) => status,
  filesError: 'simple',
  errorType: 'application/problem+json',
  jsonType: 'application/json; charset=utf-8',
  tempo: 1,
  separateServiceKey: false,
  denied: operations,
  strictFields: false,
  needsBody: false,
  emptyUpdate: true,
  tempQueue: 'always',
  earlyWhenPaused: true,
  queuedReads: 'queued',
  fromQueue: 'starting',
  environment: true,
  filesLagMs: 0,
  mask: (data) => data,
  copyStatus: 201,
  copyName: (name, n) => `${[...name].slice(0, 240).join('')} (copy ${n})`,
  poolAnswer: [204],
  proxyNames: { mode: 'proxyMode', system: 'operatingSystem', country: 'proxyCountry' },
  showsPrefix: true,
  showsTerminalAt: true,
  showsTrigger: 'runner',
  resultOnFailure: true,
  storageKey: slug,
  emptyWhenUnset: false,
  duration: (ms) => Math.floor(ms / 1000),
  capacity: 1,
  unknownInSets: 'ignored',
  conditional: 'kept',
  extra: {},
  touches: 'change',
  history: true,
};

/** The others name where they differ from the first. */
export const ways: Readonly<Record<WayId, Way>> = {
  a,
  /** Strict, terse, quick, with a key for each header. */
  b: {
    ...a,
    uuidVersion: 7,
    time: (ms) => withOffset(ms, 2),
    statuses: {
      'malformed-id': 404,
      'unknown-workflow': 400,
      'unknown-named': 400,
      'wrong-type': 422,
      'out-of-bounds': 422,
      exclusive: 422,
      capacity: 409,
      'temp-queue': 409,
      variant: 422,
    },
    listed: { 'malformed-id': 404, 'name-taken': 403, 'unknown-organization': 403 },
    problem: 'minimal',
    codeOf: (status) => 10_000 + status,
    filesError: 'standard',
    errorType: 'application/json',
    jsonType: 'application/json',
    tempo: 0.2,
    separateServiceKey: true,
    denied: ['execute', 'updateProfile', 'deletePool'],
    strictFields: true,
    needsBody: true,
    emptyUpdate: false,
    tempQueue: 'at-capacity',
    earlyWhenPaused: false,
    fromQueue: 'running',
    filesLagMs: 700,
    mask: () => '********',
    copyStatus: 200,
    copyName: (name, n) => `Copy ${n} of ${[...name].slice(0, 200).join('')}`,
    poolAnswer: [200, { deleted: true }],
    proxyNames: { mode: 'proxyConfigMode', system: 'os', country: 'proxyCountryCode' },
    showsPrefix: false,
    showsTrigger: 'bare',
    resultOnFailure: false,
    storageKey: () => undefined,
    emptyWhenUnset: true,
    duration: (ms) => Math.round(ms / 1000),
    capacity: 2,
    unknownInSets: 'refused',
    conditional: 'refused',
    extra: { region: 'eu', links: { self: 'https://example.com/x' } },
    touches: 'request',
    history: false,
  },
  /** Slow, sparing with optional fields, in capital letters. */
  c: {
    ...a,
    id: (hex) => hex.toUpperCase(),
    uuidVersion: 1,
    time: (ms) => `${new Date(ms).toISOString().slice(0, 19)}+00:00`,
    statuses: {
      'malformed-id': 422,
      'unknown-workflow': 403,
      'unknown-named': 422,
      'not-json': 415,
      capacity: 422,
      exclusive: 409,
    },
    listed: { 'malformed-id': 404, popup: 403, 'unknown-organization': 400 },
    problem: 'partial',
    codeOf: (status) => status * 100,
    errorType: 'application/json; charset=UTF-8',
    jsonType: 'Application/JSON;charset=utf-8',
    tempo: 3,
    denied: [],
    queuedReads: 'starting',
    environment: false,
    filesLagMs: 2500,
    mask: (data) => `…${[...data].slice(-2).join('')}`,
    copyStatus: 202,
    copyName: (_, n) => `profile-${n}`,
    poolAnswer: [202, null],
    proxyNames: { mode: 'mode', system: 'platform', country: 'country' },
    showsTerminalAt: false,
    showsTrigger: 'none',
    storageKey: (key) => `k${[...key].length}`,
    duration: (ms) => Math.ceil(ms / 1000),
    conditional: 'ignored',
    extra: { _version: 2, owner: null },
    touches: 'request',
    history: false,
  },
  /** Of a house with rules: one status for whatever is wrong, nothing told twice, all of it masked. */
  d: {
    ...a,
    uuidVersion: 7,
    time: (ms) => new Date(ms).toISOString().replace('Z', '123Z'),
    statuses: {
      'malformed-id': 400,
      'unknown-workflow': 400,
      'unknown-named': 400,
      'not-json': 400,
      'wrong-type': 400,
      'out-of-bounds': 400,
      exclusive: 400,
      capacity: 400,
      'temp-queue': 400,
      variant: 400,
    },
    listed: { 'malformed-id': 400, 'name-taken': 400, popup: 400, 'unknown-organization': 404 },
    problem: 'partial',
    codeOf: () => 7,
    filesError: 'standard',
    errorType: 'application/problem+json; charset=utf-8',
    jsonType: 'application/vnd.house+json',
    tempo: 2,
    separateServiceKey: true,
    denied: ['getExecution', 'duplicateProfile'],
    strictFields: true,
    needsBody: true,
    emptyUpdate: false,
    tempQueue: 'at-capacity',
    fromQueue: 'running',
    filesLagMs: 4000,
    mask: () => '[REDACTED]',
    copyName: (name, n) => `${n}. ${[...name].slice(0, 240).join('')}`,
    poolAnswer: [200, {}],
    proxyNames: { mode: 'proxy', system: 'system', country: 'region' },
    showsPrefix: false,
    showsTrigger: 'bare',
    storageKey: (key) => slug(key).replaceAll('-', '_'),
    capacity: 3,
    unknownInSets: 'refused',
    conditional: 'refused',
    extra: { _links: [{ rel: 'self', href: '/x' }], tags: [] },
  },
};
