/** Updates and duplications of profiles, for the tables of judges. */
import {
  couplings,
  derivedFlags,
  idSettings,
  openFlags,
  plainFlags,
  shownFlags,
  words,
} from '../../generated/flags.js';
import { samples } from '../../generated/samples.js';
import { ids, type Sketch } from './evidence.js';
import { another, organization } from './runs.js';

const allOff = Object.fromEntries(shownFlags.map((flag) => [flag, false]));

/** A profile as it was created, with the default inbox. */
const profile = (more: object = {}): object => ({
  ...samples.AgentProfile.minimal,
  id: ids.profile,
  name: 'Portal',
  organizationId: organization,
  description: 'Signs in.',
  createdAt: '2026-03-02T12:00:00.100Z',
  updatedAt: '2026-03-02T12:00:00.200Z',
  ...allOff,
  extensionIds: [],
  inboxEmail: `${ids.profile.slice(0, 8)}@inbox.example.com`,
  cookies: [],
  credentials: [],
  ...more,
});

/** An update by the suite, answered with the fields of `shown`. Each answer is a second later than the one before. */
let second = 0;
export const update = (sent: unknown, shown: object = {}, more: Partial<Sketch> = {}): Sketch => {
  second += 1;
  const updatedAt = new Date(Date.UTC(2026, 2, 3) + second * 1000 + 7).toISOString();
  return {
    operation: 'updateProfile',
    status: 200,
    sent,
    body: profile({ updatedAt, ...shown }),
    mark: { step: 'update' },
    ...more,
  };
};

export const refusedUpdate = (sent: unknown, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'updateProfile',
  status: 400,
  sent,
  body: { code: 400, message: 'No.' },
  mark: { step: 'refused' },
  ...more,
});

/** The first update of the suite, which changes nothing. */
export const baseline = (shown: object = {}, more: Partial<Sketch> = {}): Sketch => update({}, shown, more);

/** A duplication by the suite, answered with a copy that has the fields of `shown`. */
export const duplicate = (shown: object = {}, sent?: unknown, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'duplicateProfile',
  status: 201,
  ...(sent !== undefined && { sent }),
  body: profile({
    id: another.profile,
    name: 'Portal (copy)',
    inboxEmail: `${another.profile.slice(0, 8)}@inbox.example.com`,
    ...shown,
  }),
  mark: { step: 'duplicate' },
  ...more,
});

export const cookie = (name: string, more: object = {}): object => ({
  ...samples.Cookie.minimal,
  domain: 'example.com',
  key: name,
  name,
  value: 'crumbs',
  httpOnly: true,
  secure: false,
  ...more,
});

/** An item of a list, with an id and a time from the service. */
export const known = (item: object, digit: string): object => ({
  ...item,
  id: `${digit.repeat(8)}-0000-4000-8000-000000000000`,
  createdAt: '2026-03-02T12:00:00.100Z',
});

export const idOf = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;

/** Changes of the suite, and how they are shown. */
export const changed = { description: 'Changed.' };
export const extensions = (...digits: string[]) => ({
  extensionIds: digits.map((digit) => `${digit.repeat(8)}-0000-4000-8000-00000000000a`),
});
export const prefix = { inboxEmailPrefix: 'acme' };
export const acme = { ...prefix, inboxEmail: 'acme@inbox.example.com' };
export const customProxy = { customProxy: { server: 'proxy.example.com', username: 'acme' } };
export const credential = { id: ids.pool, name: 'login', data: '****' };

/** Flags that may be turned on alone. */
export const flags: readonly string[] = [...couplings.map(({ needs }) => needs), ...plainFlags];

const isOfProxy = ({ gap }: { readonly gap: string | null }) => gap?.includes('proxy') === true;

/** Flags that depend on a proxy, all on. */
export const flagsOfProxy = Object.fromEntries(
  [...openFlags, ...derivedFlags].filter(isOfProxy).map(({ flag }) => [flag, true]),
);

/** Flags that only certain callers may set. */
export const personalFlags: readonly string[] = openFlags.filter((one) => !isOfProxy(one)).map(({ flag }) => flag);

/** Settings that are ids, and settings that are one of several words, each with a value. */
export const setIds = idSettings.map((name) => ({ [name]: ids.pool }));
export const setWords = words.map(({ field, word }) => ({ [field]: word }));
