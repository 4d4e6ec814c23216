/** Faults in copies of profiles: what is new of them, what they have of their source, and how the two affect each other. */

import { words } from '../../generated/flags.js';
import { Refusal } from '../../reference/errors.js';
import { organizationIds } from '../../reference/fixtures.js';
import type { Profile } from '../../reference/store.js';
import { bodyOf, changing, copying, failing, giving, isSeeded, knowingSources, refusing } from '../change.js';
import { breaking, type Fault } from '../fault.js';
import { ofFlags } from '../flags.js';

/** Copies of a profile have some settings that it had before its last update. */
const copyingFromBefore =
  (some: (before: Profile) => Partial<Profile>): Fault['behaviour'] =>
  (base) => {
    const earlier = new Map<string, Profile | undefined>();
    return {
      storeProfile: (organization, profile) => {
        earlier.set(profile.id, organization.profiles.get(profile.id));
        base.storeProfile(organization, profile);
      },
      copyProfile: (source, ...rest) => {
        const before = earlier.get(source.id);
        return base.copyProfile(before ? { ...source, ...some(before) } : source, ...rest);
      },
    };
  };

/** Storing a copy changes its source too. `before`: the copy as it was, if it was stored before. */
const reaching = (
  change: (source: Profile, copy: Profile, before: Profile | undefined) => Partial<Profile>,
): Fault['behaviour'] =>
  knowingSources((sources, base) => ({
    storeProfile: (organization, profile) => {
      const before = organization.profiles.get(profile.id);
      base.storeProfile(organization, profile);
      const source = organization.profiles.get(sources.get(profile.id) ?? '');
      if (source) base.storeProfile(organization, { ...source, ...change(source, profile, before) });
    },
  }));

export const copyFaults: readonly Fault[] = [
  ...breaking('duplicate-is-new', {
    'duplicates-are-the-source': () => ({ copyProfile: (source) => source }),
    'all-copies-have-one-id': [
      copying((copy, source) => ({ ...copy, id: source.id.replace(/^......../, '0c0c0c0c') })),
      'update-keeps-identity',
      'duplicate-is-independent',
    ],
    'duplicates-are-refused': () => ({
      copyProfile: () => {
        throw new Refusal(400, 'The profile cannot be duplicated.');
      },
    }),
    'copies-cannot-be-used': knowingSources((sources, base) => ({
      selectProfile: (organization, id) =>
        sources.has(id.toLowerCase()) ? undefined : base.selectProfile(organization, id),
    })),
  }),
  ...breaking('duplicate-name-is-unique', {
    'copies-share-a-name': [
      (base) => ({
        copyName: (name) => base.copyName(name, (taken) => taken === name),
        checkName: (organization, profile) =>
          profile.name.endsWith('(copy)') ? undefined : base.checkName(organization, profile),
      }),
      'profile-name-is-unique',
    ],
    'copies-have-the-same-name': [
      bodyOf('duplicateProfile', (body) => ({ ...body, name: String(body.name).replace(/ \(copy.*\)$/, '') })),
      'update-is-partial',
    ],
    'copies-abroad-share-a-name': copying((copy, source) =>
      copy.organizationId === source.organizationId ? copy : { ...copy, name: source.name },
    ),
  }),
  ...breaking('duplicate-stays-in-organization', {
    'copies-go-elsewhere': [
      giving('targetOrganization', (body) => ({ organizationId: organizationIds.other, ...body })),
      'duplicate-is-independent',
    ],
    'duplicates-need-a-body': failing(
      'targetOrganization',
      (_source, body) => body === undefined && new Refusal(400, 'A JSON body is required.'),
    ),
    'duplicates-need-an-organization': [
      refusing('organizationId', (body, operation) => operation === 'duplicateProfile' && !('organizationId' in body)),
      'unknown-profile-is-404',
    ],
  }),
  ...breaking('duplicate-into-organization', {
    'copies-stay-at-home': [
      () => ({ targetOrganization: ({ organizationId }) => organizationId }),
      'duplicate-into-unknown-organization',
    ],
    'copies-of-copies-stay-at-home': [
      knowingSources((sources, base) => ({
        targetOrganization: (source, body) =>
          base.targetOrganization(source, sources.has(source.id) ? undefined : body),
      })),
      'duplicate-into-unknown-organization',
    ],
  }),
  ...breaking('duplicate-copies-settings', {
    'copies-have-no-description': copying((copy) => ({ ...copy, description: '' })),
    'copies-have-no-extensions': copying((copy) => ({ ...copy, extensionIds: [] })),
    'copies-cut-descriptions': copying((copy) => ({
      ...copy,
      description: [...copy.description].slice(0, 255).join(''),
    })),
    'copies-have-no-proxy': copying((copy) => ({
      ...copy,
      ...Object.fromEntries(words.map(({ field }) => [field, undefined])),
      customProxy: undefined,
    })),
    'copies-have-the-description-before-last': copyingFromBefore(({ description }) => ({ description })),
    ...ofFlags([1, 4], (on, off) => ({
      'copies-forget-a-flag': copying((copy) => ({ ...copy, [on]: true, [off]: false })),
    })),
    ...ofFlags([2], (flag) => ({
      'copies-elsewhere-are-stealthy': copying((copy, source) =>
        copy.organizationId === source.organizationId ? copy : { ...copy, [flag]: true },
      ),
    })),
  }),
  ...breaking('duplicate-copies-cookies', {
    'copies-lose-blank-cookies': copying((copy) => ({
      ...copy,
      cookies: copy.cookies.filter(({ value }) => value !== ''),
    })),
    'copies-lose-the-expiry': copying((copy) => ({
      ...copy,
      cookies: copy.cookies.map(({ expiry: _, ...cookie }) => cookie),
    })),
    'copies-miss-the-last-cookies': copyingFromBefore(({ cookies }) => ({ cookies })),
    'copies-have-twenty-cookies': copying((copy) => ({ ...copy, cookies: copy.cookies.slice(0, 20) })),
    'copies-have-fifty-cookies': copying((copy) => ({ ...copy, cookies: copy.cookies.slice(0, 50) })),
    'cookies-of-copies-are-http-only': copying((copy) => ({
      ...copy,
      cookies: copy.cookies.map((one) => ({ ...one, httpOnly: true })),
    })),
  }),
  ...breaking('duplicate-copies-credentials', {
    'copies-cut-data': copying((copy) => ({
      ...copy,
      credentials: copy.credentials.map((one) => ({ ...one, data: one.data.slice(0, 255) })),
    })),
    'copies-lose-the-data': copying((copy) => ({
      ...copy,
      credentials: copy.credentials.map((credential) => ({ ...credential, data: '' })),
    })),
    'copies-have-no-credentials': copying((copy) => ({ ...copy, credentials: [] })),
    'copies-have-one-credential': copying((copy) => ({ ...copy, credentials: copy.credentials.slice(0, 1) })),
    'copies-have-each-secret-once': changing('copyProfile', (copy) => {
      const isFirst = (data: string, place: number) =>
        copy.credentials.findIndex((other) => other.data === data) === place;
      return { ...copy, credentials: copy.credentials.filter(({ data }, place) => isFirst(data, place)) };
    }),
    'copies-have-twenty-five-credentials': copying((copy) => ({ ...copy, credentials: copy.credentials.slice(0, 25) })),
    'copies-elsewhere-have-other-data': copying((copy, source) =>
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
  }),
  ...breaking('duplicate-is-independent', {
    'data-of-copies-is-that-of-their-sources': reaching((source, { credentials }) => ({
      credentials: source.credentials.map((one) => ({
        ...one,
        data: credentials.find(({ name }) => name === one.name)?.data ?? one.data,
      })),
    })),
    // The extensions of a profile that is updated are those of every profile that the organization has.
    'extensions-are-everybodys': (base) => ({
      storeProfile: (organization, profile) => {
        const { extensionIds } = profile;
        const isNew = organization.profiles.get(profile.id)?.extensionIds !== extensionIds;
        for (const other of isNew ? [...organization.profiles.values()].filter(isSeeded) : [])
          base.storeProfile(organization, { ...other, extensionIds });
        base.storeProfile(organization, profile);
      },
    }),
    'cookies-are-deleted-wherever-they-are': (base) => {
      let asked: readonly string[] = [];
      return {
        ...reaching(({ cookies }) => ({ cookies: cookies.filter(({ id }) => !asked.includes(String(id))) }))(base),
        deleteCookies: (cookies, ids) => {
          asked = ids;
          return base.deleteCookies(cookies, ids);
        },
      };
    },
    // Of a copy that is copied the credentials go with the new one.
    'copying-a-copy-empties-it': (base) => {
      const copies = new Set<string>();
      return {
        copyProfile: (source, ...rest) => {
          const copy = base.copyProfile(source, ...rest);
          const [, organization] = rest;
          if (copies.has(source.id)) base.storeProfile(organization, { ...source, credentials: [] });
          copies.add(copy.id);
          return copy;
        },
      };
    },
    'duplicating-changes-the-source': (base) => ({
      copyProfile: (source, name, organization, ...rest) => {
        const copy = base.copyProfile(source, name, organization, ...rest);
        const marked = { ...source, description: `Duplicated as ${copy.id}.`, updatedAt: copy.updatedAt };
        if (organization.id === source.organizationId) base.storeProfile(organization, marked);
        return copy;
      },
    }),
    'copies-cannot-be-updated': [
      () => ({ storeCopy: () => {} }),
      'duplicate-name-is-unique',
      'duplicate-into-organization',
    ],
    'copies-follow-their-source': (base) => {
      const copies = new Map<string, string[]>();
      return {
        copyProfile: (source, ...rest) => {
          const copy = base.copyProfile(source, ...rest);
          copies.set(source.id, [...(copies.get(source.id) ?? []), copy.id]);
          return copy;
        },
        storeProfile: (organization, profile) => {
          base.storeProfile(organization, profile);
          for (const id of copies.get(profile.id) ?? []) {
            const copy = organization.profiles.get(id);
            if (copy) base.storeProfile(organization, { ...copy, credentials: profile.credentials });
          }
        },
      };
    },
    'copies-share-their-cookies': (base) =>
      reaching((source, copy, before) => {
        const gone = before?.cookies.filter(({ id }) => !copy.cookies.some((one) => one.id === id)) ?? [];
        return { cookies: source.cookies.filter(({ id }) => !gone.some((one) => one.id === id)) };
      })({
        ...base,
        copyProfile: (source, ...rest) => ({ ...base.copyProfile(source, ...rest), cookies: source.cookies }),
      }),
  }),
];
