import { words } from '../../../generated/flags.js';
import type { Profile } from '../../../reference/store.js';
import { copying, knowingSources } from '../../change.js';
import type { Fault } from '../../fault.js';
import { ofFlags } from '../../flags.js';

const forgets = (id: string, says: string, settings: Partial<Profile>): Fault => ({
  id,
  breaks: ['duplicate-copies-settings'],
  says,
  behaviour: copying((copy) => ({ ...copy, ...settings })),
});

/** Faults in what a copy has of its source. */
export const contentFaults: readonly Fault[] = [
  {
    id: 'copies-cut-descriptions',
    breaks: ['duplicate-copies-settings'],
    says: 'The description of a copy has no more than 255 characters.',
    behaviour: copying((copy) => ({ ...copy, description: [...copy.description].slice(0, 255).join('') })),
  },
  {
    id: 'duplicating-changes-the-source',
    breaks: ['duplicate-copies-settings', 'duplicate-is-independent'],
    says: 'A profile that is duplicated says so in its description.',
    behaviour: (base) => ({
      copyProfile: (source, name, organization, ...rest) => {
        const copy = base.copyProfile(source, name, organization, ...rest);
        const marked = { ...source, description: `Duplicated as ${copy.id}.`, updatedAt: copy.updatedAt };
        if (organization.id === source.organizationId) base.storeProfile(organization, marked);
        return copy;
      },
    }),
  },
  forgets('copies-have-no-description', 'A copy has no description.', { description: '' }),
  ...ofFlags([1, 4], (on, off) =>
    forgets('copies-forget-a-flag', `A copy has ${on}, and not ${off}.`, { [on]: true, [off]: false }),
  ),
  forgets('copies-have-no-extensions', 'A copy has none of the extensions.', { extensionIds: [] }),
  {
    id: 'copies-have-no-proxy',
    breaks: ['duplicate-copies-settings'],
    says: 'A copy has no proxy.',
    behaviour: copying((copy) => ({
      ...copy,
      ...Object.fromEntries(words.map(({ field }) => [field, undefined])),
      customProxy: undefined,
    })),
  },
  {
    id: 'copies-elsewhere-have-no-description',
    breaks: ['duplicate-copies-settings'],
    says: 'A copy in another organization has no description.',
    behaviour: copying((copy, source) =>
      copy.organizationId === source.organizationId ? copy : { ...copy, description: '' },
    ),
  },
  forgets('copies-have-no-proxy-mode', 'A copy has no proxy mode, whose name the contract does not know.', {
    proxyMode: 'none',
  }),
  {
    id: 'copies-get-a-managed-proxy',
    breaks: ['duplicate-copies-settings'],
    says: 'A profile has no proxy, and its copies have a managed one.',
    behaviour: knowingSources((sources, base) => ({
      presentProfile: (profile, inbox) =>
        base.presentProfile({ ...profile, proxyMode: sources.has(profile.id) ? 'managed' : 'none' }, inbox),
    })),
  },
  {
    id: 'copies-have-the-description-before-last',
    breaks: ['duplicate-copies-settings'],
    says: 'A copy has the description that its source had before its last update.',
    behaviour: (base) => {
      const before = new Map<string, string>();
      return {
        storeProfile: (organization, profile) => {
          const { description } = organization.profiles.get(profile.id) ?? profile;
          before.set(profile.id, description);
          base.storeProfile(organization, profile);
        },
        copyProfile: (source, ...rest) => {
          const { description } = source;
          return base.copyProfile({ ...source, description: before.get(source.id) ?? description }, ...rest);
        },
      };
    },
  },
  ...ofFlags(
    [2],
    (flag): Fault => ({
      id: 'copies-elsewhere-are-stealthy',
      breaks: ['duplicate-copies-settings'],
      says: `A copy in another organization has ${flag}, whether or not its source has it.`,
      behaviour: copying((copy, source) =>
        copy.organizationId === source.organizationId ? copy : { ...copy, [flag]: true },
      ),
    }),
  ),
  {
    id: 'copies-lose-blank-cookies',
    breaks: ['duplicate-copies-cookies'],
    says: 'A copy has no cookies without a value.',
    behaviour: copying((copy) => ({ ...copy, cookies: copy.cookies.filter(({ value }) => value !== '') })),
  },
  {
    id: 'copies-lose-the-expiry',
    breaks: ['duplicate-copies-cookies'],
    says: 'The cookies of a copy never expire.',
    behaviour: copying((copy) => ({
      ...copy,
      cookies: copy.cookies.map(({ expiry: _, ...cookie }) => cookie),
    })),
  },
  {
    id: 'copies-have-no-cookies',
    breaks: ['duplicate-copies-cookies'],
    says: 'A duplicate has none of the cookies.',
    behaviour: copying((copy) => ({ ...copy, cookies: [] })),
  },
  {
    id: 'copied-cookies-are-blank',
    breaks: ['duplicate-copies-cookies'],
    says: 'The cookies of a duplicate have no value.',
    behaviour: copying((copy) => ({ ...copy, cookies: copy.cookies.map((cookie) => ({ ...cookie, value: '' })) })),
  },
  {
    id: 'copies-elsewhere-have-no-cookies',
    breaks: ['duplicate-copies-cookies'],
    says: 'A copy in another organization has none of the cookies.',
    behaviour: copying((copy, source) =>
      copy.organizationId === source.organizationId ? copy : { ...copy, cookies: [] },
    ),
  },
  {
    id: 'copies-miss-the-last-cookies',
    breaks: ['duplicate-copies-cookies'],
    says: 'A copy has the cookies that its source had before its last update.',
    behaviour: (base) => {
      const before = new Map<string, Profile['cookies']>();
      return {
        storeProfile: (organization, profile) => {
          before.set(profile.id, organization.profiles.get(profile.id)?.cookies ?? []);
          base.storeProfile(organization, profile);
        },
        copyProfile: (source, ...rest) =>
          base.copyProfile({ ...source, cookies: before.get(source.id) ?? source.cookies }, ...rest),
      };
    },
  },
  {
    id: 'copies-have-twenty-cookies',
    breaks: ['duplicate-copies-cookies'],
    says: 'A copy has the first twenty of the cookies.',
    behaviour: copying((copy) => ({ ...copy, cookies: copy.cookies.slice(0, 20) })),
  },
  {
    id: 'copies-have-fifty-cookies',
    breaks: ['duplicate-copies-cookies'],
    says: 'A copy has the first fifty of the cookies.',
    behaviour: copying((copy) => ({ ...copy, cookies: copy.cookies.slice(0, 50) })),
  },
  {
    id: 'cookies-of-copies-are-http-only',
    breaks: ['duplicate-copies-cookies'],
    says: 'Every cookie of a copy is httpOnly.',
    behaviour: copying((copy) => ({ ...copy, cookies: copy.cookies.map((one) => ({ ...one, httpOnly: true })) })),
  },
  {
    id: 'copies-cut-data',
    breaks: ['duplicate-copies-credentials'],
    says: 'The data of a credential of a copy has no more than 255 characters.',
    behaviour: copying((copy) => ({
      ...copy,
      credentials: copy.credentials.map((one) => ({ ...one, data: one.data.slice(0, 255) })),
    })),
  },
  {
    id: 'copies-lose-the-data',
    breaks: ['duplicate-copies-credentials'],
    says: 'The credentials of a copy have no data.',
    behaviour: copying((copy) => ({
      ...copy,
      credentials: copy.credentials.map((credential) => ({ ...credential, data: '' })),
    })),
  },
  {
    id: 'copies-have-no-credentials',
    breaks: ['duplicate-copies-credentials'],
    says: 'A duplicate has none of the credentials.',
    behaviour: copying((copy) => ({ ...copy, credentials: [] })),
  },
  {
    id: 'copies-have-one-credential',
    breaks: ['duplicate-copies-credentials'],
    says: 'A duplicate has only the first credential.',
    behaviour: copying((copy) => ({ ...copy, credentials: copy.credentials.slice(0, 1) })),
  },
  {
    id: 'copies-have-each-secret-once',
    breaks: ['duplicate-copies-credentials'],
    says: 'Of the credentials with equal data a copy has the first alone.',
    behaviour: (base) => ({
      copyProfile: (...of) => {
        const copy = base.copyProfile(...of);
        const isFirst = (data: string, place: number) =>
          copy.credentials.findIndex((other) => other.data === data) === place;
        return { ...copy, credentials: copy.credentials.filter(({ data }, place) => isFirst(data, place)) };
      },
    }),
  },
  {
    id: 'copies-have-twenty-five-credentials',
    breaks: ['duplicate-copies-credentials'],
    says: 'A copy has the first 25 of the credentials.',
    behaviour: copying((copy) => ({ ...copy, credentials: copy.credentials.slice(0, 25) })),
  },
  {
    id: 'copies-elsewhere-have-other-data',
    breaks: ['duplicate-copies-credentials'],
    says: 'The data of credentials is sealed in a copy in another organization.',
    behaviour: copying((copy, source) =>
      copy.organizationId === source.organizationId
        ? copy
        : {
            ...copy,
            credentials: copy.credentials.map((one) => ({
              ...one,
              data: Buffer.from(`sealed:${one.name}`).toString('base64'),
            })),
          },
    ),
  },
];
