/** How profiles change, are copied, and are shown. */

import { fields, namesOf } from '../../generated/fields.js';
import { couplings, openFlags } from '../../generated/flags.js';
import type {
  AgentProfile,
  AgentProfileUpdate,
  Cookie,
  Credential,
  CredentialUpdate,
  DuplicateProfileRequest,
} from '../../generated/types.js';
import type { Choices } from '../choices.js';
import { iso } from '../clock.js';
import { Refusal, refuseParameter } from '../errors.js';
import type { NewId } from '../ids.js';
import { type ApiKey, keepCopy, type Organization, type Pool, type Profile } from '../store.js';
import { type May, openFlagConditions } from './open-flags.js';
import { readUnnamed, unnamedNames } from './unnamed.js';

/** Fields that need code of their own: they depend on a proxy or a role, or are stored in another form. */
const apart: readonly string[] = [...openFlags.map(({ flag }) => flag), 'inboxEmailPrefix', 'customProxy'];

const plain = namesOf(fields.AgentProfileUpdate).filter((name) => name in fields.AgentProfile && !apart.includes(name));

/** The behaviour for profiles and pools. No function changes its arguments. */
export function profileBehaviour(choices: Choices) {
  /** gap: cookie-id-sent. Gives each added item an id, and a creation time if it has none. */
  const withIds = <T extends { id?: string; createdAt?: string }>(
    existing: readonly T[],
    added: readonly T[],
    newId: NewId,
    now: number,
  ): T[] => {
    const taken = new Set(existing.map(({ id }) => id));
    const idFor = ({ id }: T) =>
      choices['cookie-id-sent'] === 'kept' && id !== undefined && !taken.has(id) ? id : newId();
    return added.map((item) => {
      const id = idFor(item);
      taken.add(id);
      return { createdAt: iso(now), ...item, id };
    });
  };
  /** gap: stored-normalised. */
  const normalises = choices['stored-normalised'] === 'texts';
  const stored = <T>(value: T) => (normalises && typeof value === 'string' ? value.normalize('NFC').trim() : value);
  const without = <T extends { id?: string }>(items: readonly T[], ids: readonly string[]): T[] => {
    const gone = new Set(ids.map((id) => id.toLowerCase()));
    return items.filter(({ id }) => id === undefined || !gone.has(id.toLowerCase()));
  };

  return {
    findProfile: (organization: Organization, id: string): Profile | undefined =>
      organization.profiles.get(id.toLowerCase()),
    findPool: (organization: Organization, id: string): Pool | undefined => organization.pools.get(id.toLowerCase()),
    profileNotFound: (id: string): Refusal => new Refusal(404, `Agent profile ${id} was not found.`),
    poolNotFound: (id: string): Refusal => new Refusal(404, `Agent profile pool ${id} was not found.`),

    checkEmptyUpdate: (update: AgentProfileUpdate): Refusal | undefined =>
      choices['empty-update'] === 'refused' && Object.keys(update).length === 0
        ? new Refusal(400, 'The update names nothing to change.')
        : undefined,

    /** Changes the fields that were sent, and no others. */
    changeSettings: (profile: Profile, update: AgentProfileUpdate): Profile => ({
      ...profile,
      ...Object.fromEntries(
        plain.filter((field) => update[field] !== undefined).map((field) => [field, stored(update[field])]),
      ),
      ...readUnnamed(choices['unnamed-profile-fields'], update),
    }),

    /** An empty prefix removes the prefix. */
    changeInbox: (profile: Profile, { inboxEmailPrefix }: AgentProfileUpdate): Profile =>
      inboxEmailPrefix === undefined ? profile : { ...profile, inboxEmailPrefix: inboxEmailPrefix || undefined },

    /** gap: custom-proxy-request. */
    changeProxy: (profile: Profile, { customProxy }: AgentProfileUpdate): Profile => {
      const way = choices['custom-proxy-request'];
      if (customProxy === undefined || way === 'ignored') return profile;
      const { server, username, password, ...others } = customProxy;
      const parts = {
        ...(server !== undefined && { server }),
        ...(username !== undefined && { username }),
        ...(password !== undefined && { password }),
      };
      if (
        way === 'refused' ||
        Object.keys(others).length > 0 ||
        Object.values(parts).some((part) => typeof part !== 'string')
      )
        throw refuseParameter(
          400,
          'customProxy',
          way === 'refused' ? 'cannot be changed' : 'takes server, username and password, each a string',
        );
      return { ...profile, customProxy: { ...profile.customProxy, ...parts } };
    },

    /** Changes flags that have a gap of their own. */
    changeOpenFlags: (profile: Profile, update: AgentProfileUpdate, isAdmin: boolean): Profile => {
      const conditions: Readonly<Record<string, May>> = openFlagConditions;
      const set = openFlags.filter(({ flag, gap }) => {
        const isOn = update[flag];
        if (isOn === undefined || isOn === profile[flag]) return false;
        const may = conditions[gap]?.(isOn, profile, isAdmin, choices);
        if (may instanceof Refusal) throw may;
        return may;
      });
      return { ...profile, ...Object.fromEntries(set.map(({ flag }) => [flag, update[flag]])) };
    },

    /** Handles flags that are on without the flag that they need. gap: flag-without-another. */
    changeCoupledFlags: (profile: Profile): Profile => {
      const way = choices['flag-without-another'];
      let next = profile;
      for (const { flag, needs } of couplings) {
        if (!next[flag] || next[needs]) continue;
        if (way === 'refused') throw refuseParameter(400, flag, `needs ${needs}`);
        next = { ...next, ...(way === 'off' ? { [flag]: false } : { [needs]: true }) };
      }
      return next;
    },

    deleteCookies: (cookies: readonly Cookie[], ids: readonly string[]): Cookie[] => without(cookies, ids),
    addCookies: (cookies: readonly Cookie[], added: readonly Cookie[], newId: NewId, now: number): Cookie[] => [
      ...cookies,
      ...withIds(cookies, added, newId, now),
    ],
    deleteCredentials: (credentials: readonly Credential[], ids: readonly string[]): Credential[] =>
      without(credentials, ids),
    addCredentials: (
      credentials: readonly Credential[],
      added: readonly Credential[],
      newId: NewId,
      now: number,
    ): Credential[] => {
      const named = normalises ? added.map((one) => ({ ...one, name: one.name.trim().toLowerCase() })) : added;
      return [...credentials, ...withIds(credentials, named, newId, now)];
    },

    /** Updates credentials by name, ignoring case; refuses unknown names. interface: PATCH agent-profiles. */
    updateCredentials: (credentials: readonly Credential[], updates: readonly CredentialUpdate[]): Credential[] => {
      const known = new Set(credentials.map(({ name }) => name.toLowerCase()));
      const unknown = updates.find(({ name }) => !known.has(name.toLowerCase()));
      if (unknown) throw refuseParameter(400, 'credentialsToUpdate', `names ${unknown.name}, which no credential has`);
      const data = new Map(updates.map((update) => [update.name.toLowerCase(), update.data]));
      return credentials.map((credential) => {
        const updated = data.get(credential.name.toLowerCase());
        return updated === undefined ? credential : { ...credential, data: updated };
      });
    },

    checkName: (organization: Organization, { id, name }: Profile): Refusal | undefined => {
      for (const other of organization.profiles.values())
        if (other.name === name && other.id !== id)
          return refuseParameter(400, 'name', 'is the name of another profile of the organization');
      return undefined;
    },

    storeProfile: (organization: Organization, profile: Profile): void => {
      organization.profiles.set(profile.id, profile);
    },
    storeCopy: keepCopy,

    /** Advances updatedAt, even within the same millisecond. */
    touch: (profile: Profile, now: number): Profile => ({
      ...profile,
      updatedAt: Math.max(now, profile.updatedAt + 1),
    }),

    inboxOf: ({ id, inboxEmailPrefix }: Profile): string => `${inboxEmailPrefix ?? id.slice(0, 8)}@inbox.example.com`,

    presentProfile: (profile: Profile, inboxEmail: string): AgentProfile => {
      const {
        proxyMode,
        operatingSystem,
        proxyCountry,
        customProxy,
        inboxEmailPrefix,
        createdAt,
        updatedAt,
        ...shown
      } = profile;
      const { password: _, ...proxy } = customProxy ?? {};
      const [modeName, systemName, countryName] = unnamedNames[choices['unnamed-profile-fields']];
      return {
        ...shown,
        createdAt: iso(createdAt),
        updatedAt: iso(updatedAt),
        inboxEmail,
        credentials:
          choices['credential-data-visible'] === 'masked'
            ? shown.credentials.map((credential) => ({ ...credential, data: '********' }))
            : shown.credentials,
        ...(inboxEmailPrefix !== undefined && { inboxEmailPrefix }),
        ...(customProxy && { customProxy: proxy }),
        ...(modeName && { [modeName]: proxyMode, [systemName]: operatingSystem }),
        ...(countryName && proxyCountry !== undefined && { [countryName]: proxyCountry }),
      };
    },

    targetOrganization: (source: Profile, body: DuplicateProfileRequest | undefined): string =>
      body?.organizationId ?? source.organizationId,
    /** Finds an organization only if the key may use it; others seem not to exist. */
    findOrganization: (
      organizations: ReadonlyMap<string, Organization>,
      key: ApiKey,
      id: string,
    ): Organization | undefined => (key.organizations.includes(id) ? organizations.get(id) : undefined),

    /** The name itself if it is free, otherwise the first free numbered copy; at most 255 characters. */
    copyName: (name: string, isTaken: (name: string) => boolean): string => {
      if (!isTaken(name)) return name;
      for (let number = 1; ; number++) {
        const suffix = number === 1 ? ' (copy)' : ` (copy ${number})`;
        const copy = [...name].slice(0, 255 - suffix.length).join('') + suffix;
        if (!isTaken(copy)) return copy;
      }
    },

    copyProfile: (source: Profile, name: string, organization: Organization, newId: NewId, now: number): Profile => ({
      ...source,
      id: newId(),
      name,
      organizationId: organization.id,
      createdAt: now,
      updatedAt: now,
      inboxEmailPrefix: choices['duplicate-inbox-prefix'] === 'kept' ? source.inboxEmailPrefix : undefined,
      cookies: source.cookies.map((cookie) => ({ ...cookie, id: newId() })),
      credentials: source.credentials.map((credential) => ({ ...credential, id: newId() })),
    }),

    duplicateStatus: (): 200 | 201 => (choices['duplicate-success-status'] === '200' ? 200 : 201),

    deletePool: (organization: Organization, pool: Pool): void => {
      organization.pools.delete(pool.id);
    },
    deletedAnswer: (): { status: 200 | 202 | 204; body?: unknown } =>
      (
        ({
          202: { status: 202 },
          204: { status: 204 },
          '200-body': { status: 200, body: { deleted: true } },
          '200-empty': { status: 200 },
        }) as const
      )[choices['pool-delete-success']],
  };
}
