import { words } from '../../../generated/flags.js';
import type { Profile } from '../../../reference/store.js';
import { changing, copying } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';
import { ofFlags } from '../../flags.js';

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

/** Faults in what a copy has of its source. */
export const contentFaults: readonly Fault[] = [
  ...breaking('duplicate-copies-settings', {
    'copies-have-no-description': ['A copy has no description.', copying((copy) => ({ ...copy, description: '' }))],
    'copies-have-no-extensions': [
      'A copy has none of the extensions.',
      copying((copy) => ({ ...copy, extensionIds: [] })),
    ],
    'copies-cut-descriptions': [
      'The description of a copy has no more than 255 characters.',
      copying((copy) => ({ ...copy, description: [...copy.description].slice(0, 255).join('') })),
    ],
    'copies-have-no-proxy': [
      'A copy has no proxy.',
      copying((copy) => ({
        ...copy,
        ...Object.fromEntries(words.map(({ field }) => [field, undefined])),
        customProxy: undefined,
      })),
    ],
    'copies-have-the-description-before-last': [
      'A copy has the description that its source had before its last update.',
      copyingFromBefore(({ description }) => ({ description })),
    ],
  }),
  ...ofFlags([1, 4], (on, off) =>
    breaking('duplicate-copies-settings', {
      'copies-forget-a-flag': [
        `A copy has ${on}, and not ${off}.`,
        copying((copy) => ({ ...copy, [on]: true, [off]: false })),
      ],
    }),
  ).flat(),
  ...ofFlags([2], (flag) =>
    breaking('duplicate-copies-settings', {
      'copies-elsewhere-are-stealthy': [
        `A copy in another organization has ${flag}, whether or not its source has it.`,
        copying((copy, source) => (copy.organizationId === source.organizationId ? copy : { ...copy, [flag]: true })),
      ],
    }),
  ).flat(),
  ...breaking('duplicate-copies-cookies', {
    'copies-lose-blank-cookies': [
      'A copy has no cookies without a value.',
      copying((copy) => ({ ...copy, cookies: copy.cookies.filter(({ value }) => value !== '') })),
    ],
    'copies-lose-the-expiry': [
      'The cookies of a copy never expire.',
      copying((copy) => ({
        ...copy,
        cookies: copy.cookies.map(({ expiry: _, ...cookie }) => cookie),
      })),
    ],
    'copies-miss-the-last-cookies': [
      'A copy has the cookies that its source had before its last update.',
      copyingFromBefore(({ cookies }) => ({ cookies })),
    ],
    'copies-have-twenty-cookies': [
      'A copy has the first twenty of the cookies.',
      copying((copy) => ({ ...copy, cookies: copy.cookies.slice(0, 20) })),
    ],
    'copies-have-fifty-cookies': [
      'A copy has the first fifty of the cookies.',
      copying((copy) => ({ ...copy, cookies: copy.cookies.slice(0, 50) })),
    ],
    'cookies-of-copies-are-http-only': [
      'Every cookie of a copy is httpOnly.',
      copying((copy) => ({ ...copy, cookies: copy.cookies.map((one) => ({ ...one, httpOnly: true })) })),
    ],
  }),
  ...breaking('duplicate-copies-credentials', {
    'copies-cut-data': [
      'The data of a credential of a copy has no more than 255 characters.',
      copying((copy) => ({
        ...copy,
        credentials: copy.credentials.map((one) => ({ ...one, data: one.data.slice(0, 255) })),
      })),
    ],
    'copies-lose-the-data': [
      'The credentials of a copy have no data.',
      copying((copy) => ({
        ...copy,
        credentials: copy.credentials.map((credential) => ({ ...credential, data: '' })),
      })),
    ],
    'copies-have-no-credentials': [
      'A duplicate has none of the credentials.',
      copying((copy) => ({ ...copy, credentials: [] })),
    ],
    'copies-have-one-credential': [
      'A duplicate has only the first credential.',
      copying((copy) => ({ ...copy, credentials: copy.credentials.slice(0, 1) })),
    ],
    'copies-have-each-secret-once': [
      'Of the credentials with equal data a copy has the first alone.',
      changing('copyProfile', (copy) => {
        const isFirst = (data: string, place: number) =>
          copy.credentials.findIndex((other) => other.data === data) === place;
        return { ...copy, credentials: copy.credentials.filter(({ data }, place) => isFirst(data, place)) };
      }),
    ],
    'copies-have-twenty-five-credentials': [
      'A copy has the first 25 of the credentials.',
      copying((copy) => ({ ...copy, credentials: copy.credentials.slice(0, 25) })),
    ],
    'copies-elsewhere-have-other-data': [
      'The data of credentials is sealed in a copy in another organization.',
      copying((copy, source) =>
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
    ],
  }),
];
