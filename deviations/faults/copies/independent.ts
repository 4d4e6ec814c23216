/** Faults by which a copy and its source affect each other. */

import type { Profile } from '../../../reference/store.js';
import { isSeeded, knowingSources } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

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

export const independentFaults: readonly Fault[] = [
  ...breaking('duplicate-is-independent', {
    'data-of-copies-is-that-of-their-sources': [
      'New data of a credential of a copy is that of its source as well.',
      reaching((source, { credentials }) => ({
        credentials: source.credentials.map((one) => ({
          ...one,
          data: credentials.find(({ name }) => name === one.name)?.data ?? one.data,
        })),
      })),
    ],
    'extensions-are-everybodys': [
      'The extensions of a profile that is updated are those of every profile that the organization has.',
      (base) => ({
        storeProfile: (organization, profile) => {
          const { extensionIds } = profile;
          const isNew = organization.profiles.get(profile.id)?.extensionIds !== extensionIds;
          for (const other of isNew ? [...organization.profiles.values()].filter(isSeeded) : [])
            base.storeProfile(organization, { ...other, extensionIds });
          base.storeProfile(organization, profile);
        },
      }),
    ],
    'cookies-are-deleted-wherever-they-are': [
      'A cookie is deleted by its id, whichever profile has it.',
      (base) => {
        let asked: readonly string[] = [];
        return {
          ...reaching(({ cookies }) => ({ cookies: cookies.filter(({ id }) => !asked.includes(String(id))) }))(base),
          deleteCookies: (cookies, ids) => {
            asked = ids;
            return base.deleteCookies(cookies, ids);
          },
        };
      },
    ],
    'copying-a-copy-empties-it': [
      'Of a copy that is copied the credentials go with the new one.',
      (base) => {
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
    ],
    'duplicating-changes-the-source': [
      'A profile that is duplicated says so in its description.',
      (base) => ({
        copyProfile: (source, name, organization, ...rest) => {
          const copy = base.copyProfile(source, name, organization, ...rest);
          const marked = { ...source, description: `Duplicated as ${copy.id}.`, updatedAt: copy.updatedAt };
          if (organization.id === source.organizationId) base.storeProfile(organization, marked);
          return copy;
        },
      }),
    ],
    'copies-cannot-be-updated': [
      'A copy is answered, and not there.',
      () => ({ storeCopy: () => {} }),
      'duplicate-name-is-unique',
      'duplicate-into-organization',
    ],
    'copies-follow-their-source': [
      'A change to a profile is a change to its copies.',
      (base) => {
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
    ],
    'copies-share-their-cookies': [
      'A cookie that is deleted from a copy is gone from the source as well.',
      (base) =>
        reaching((source, copy, before) => {
          const gone = before?.cookies.filter(({ id }) => !copy.cookies.some((one) => one.id === id)) ?? [];
          return { cookies: source.cookies.filter(({ id }) => !gone.some((one) => one.id === id)) };
        })({
          ...base,
          copyProfile: (source, ...rest) => ({ ...base.copyProfile(source, ...rest), cookies: source.cookies }),
        }),
    ],
  }),
];
