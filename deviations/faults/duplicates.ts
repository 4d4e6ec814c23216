import { words } from '../../generated/flags.js';
import { Refusal, refuseParameter } from '../../reference/errors.js';
import { organizationIds } from '../../reference/fixtures.js';
import type { Profile } from '../../reference/store.js';
import { bodyOf, isFields, knowingSources, reachingAbroad } from '../change.js';
import type { Fault } from '../fault.js';
import { ofFlags } from '../flags.js';

/** Copies otherwise. */
const copying =
  (change: (copy: Profile, source: Profile) => Profile): Fault['behaviour'] =>
  (base) => ({ copyProfile: (source, ...rest) => change(base.copyProfile(source, ...rest), source) });

/** Whatever is stored of a copy changes its source too; `before` is what the copy was, where it was stored already. */
const reaching = (
  change: (source: Profile, copy: Profile, before: Profile | undefined) => Profile,
): Fault['behaviour'] =>
  knowingSources((sources, base) => ({
    storeProfile: (organization, profile) => {
      const before = organization.profiles.get(profile.id);
      base.storeProfile(organization, profile);
      const source = organization.profiles.get(sources.get(profile.id) ?? '');
      if (source) base.storeProfile(organization, change(source, profile, before));
    },
  }));

const forgets = (id: string, says: string, settings: Partial<Profile>): Fault => ({
  id,
  breaks: ['duplicate-copies-settings'],
  says,
  behaviour: copying((copy) => ({ ...copy, ...settings })),
});

const nameTaken = () => refuseParameter(400, 'name', 'is the name of another profile');

/** What a duplicate is, and where it is. */
export const duplicateFaults: readonly Fault[] = [
  {
    id: 'duplicates-are-the-source',
    breaks: ['duplicate-is-new', 'duplicate-name-is-unique', 'duplicate-into-organization'],
    says: 'The answer to a duplicate is the profile itself.',
    behaviour: () => ({ copyProfile: (source) => source }),
  },
  {
    id: 'copies-share-a-name',
    breaks: ['duplicate-name-is-unique', 'profile-name-is-unique'],
    says: 'Every copy of a profile has the same name.',
    behaviour: (base) => ({
      copyName: (name) => base.copyName(name, (taken) => taken === name),
      checkName: (organization, profile) =>
        profile.name.endsWith('(copy)') ? undefined : base.checkName(organization, profile),
    }),
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
    id: 'copies-lose-the-expiry',
    breaks: ['duplicate-copies-cookies'],
    says: 'The cookies of a copy never expire.',
    behaviour: copying((copy) => ({
      ...copy,
      cookies: copy.cookies.map(({ expiry: _, ...cookie }) => cookie),
    })),
  },
  {
    id: 'copies-share-their-state',
    breaks: ['duplicate-is-independent', 'update-applies'],
    says: 'A change to a copy is a change to its source.',
    behaviour: reaching((source, { description, updatedAt }) => ({ ...source, description, updatedAt })),
  },
  {
    id: 'cookies-of-copies-reach-their-source',
    breaks: ['duplicate-is-independent'],
    says: 'A cookie that is added to a copy is added to its source as well.',
    behaviour: reaching((source, copy, before) => {
      const added = before ? copy.cookies.filter(({ id }) => !before.cookies.some((one) => one.id === id)) : [];
      return { ...source, cookies: [...source.cookies, ...added] };
    }),
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
  {
    id: 'copies-cannot-be-updated',
    breaks: ['duplicate-is-independent', 'duplicate-name-is-unique', 'duplicate-into-organization'],
    says: 'A copy is answered, and not there.',
    behaviour: () => ({ storeCopy: () => {} }),
  },
  {
    id: 'all-copies-have-one-id',
    breaks: ['duplicate-is-new', 'update-keeps-identity', 'duplicate-is-independent'],
    says: 'Every copy of a profile has the same id.',
    behaviour: copying((copy, source) => ({ ...copy, id: source.id.replace(/^......../, '0c0c0c0c') })),
  },
  {
    id: 'duplicates-are-refused',
    breaks: ['duplicate-is-new'],
    says: 'A profile cannot be duplicated.',
    behaviour: () => ({
      copyProfile: () => {
        throw new Refusal(400, 'The profile cannot be duplicated.');
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
    id: 'copies-have-the-same-name',
    breaks: ['duplicate-name-is-unique', 'duplicate-is-independent', 'update-is-partial'],
    says: 'A copy is shown under the name of its source.',
    behaviour: bodyOf('duplicateProfile', (body) => ({ ...body, name: String(body.name).replace(/ \(copy.*\)$/, '') })),
  },
  {
    id: 'copies-go-elsewhere',
    breaks: ['duplicate-stays-in-organization', 'duplicate-is-independent', 'duplicate-into-organization'],
    says: 'Without organizationId a copy is in the other organization, where it cannot be updated.',
    behaviour: (base) => ({
      targetOrganization: (source, body) =>
        base.targetOrganization(source, { organizationId: organizationIds.other, ...body }),
    }),
  },
  {
    id: 'duplicates-need-a-body',
    breaks: ['duplicate-stays-in-organization'],
    says: 'A duplicate without a body is refused.',
    behaviour: (base) => ({
      targetOrganization: (source, body) => {
        if (body === undefined) throw new Refusal(400, 'A JSON body is required.');
        return base.targetOrganization(source, body);
      },
    }),
  },
  {
    id: 'duplicates-need-an-organization',
    breaks: ['duplicate-stays-in-organization', 'unknown-profile-is-404'],
    says: 'A duplicate with an empty object is refused, whether the profile is there or not.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        operation === 'duplicateProfile' && isFields(body) && !('organizationId' in body)
          ? [{ kind: 'value', parameter: 'organizationId', detail: 'is required' }]
          : base.violations(operation, body),
    }),
  },
  {
    id: 'copies-stay-at-home',
    breaks: ['duplicate-into-organization', 'duplicate-into-unknown-organization'],
    says: 'Whatever the organizationId, a copy is in the organization of its source.',
    behaviour: () => ({ targetOrganization: ({ organizationId }) => organizationId }),
  },
  {
    id: 'copies-of-copies-stay-at-home',
    breaks: ['duplicate-into-organization', 'duplicate-into-unknown-organization'],
    says: 'Whatever the organizationId, the copy of a copy is in the organization of the copy.',
    behaviour: knowingSources((sources, base) => ({
      targetOrganization: (source, body) => base.targetOrganization(source, sources.has(source.id) ? undefined : body),
    })),
  },
  {
    id: 'copies-cannot-go-elsewhere',
    breaks: ['duplicate-into-organization'],
    says: 'A duplicate into another organization is refused.',
    behaviour: (base) => ({
      findOrganization: (organizations, key, id) => {
        if (id !== organizationIds.own && organizations.has(id))
          throw refuseParameter(400, 'organizationId', 'is not allowed');
        return base.findOrganization(organizations, key, id);
      },
    }),
  },
  {
    id: 'unknown-organizations-are-home',
    breaks: ['duplicate-into-unknown-organization'],
    says: 'For an organization that does not exist the copy stays at home.',
    behaviour: (base) => ({
      findOrganization: (organizations, key, id) =>
        base.findOrganization(organizations, key, id) ?? organizations.get(key.organizationId),
    }),
  },
  {
    id: 'copies-follow-their-source',
    breaks: ['duplicate-is-independent', 'duplicate-copies-credentials'],
    says: 'A change to a profile is a change to its copies.',
    behaviour: (base) => {
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
  },
  {
    id: 'copies-share-their-cookies',
    breaks: ['duplicate-is-independent'],
    says: 'A cookie that is deleted from a copy is gone from the source as well.',
    behaviour: (base) => {
      const sources = new Map<string, string>();
      return {
        copyProfile: (source, ...rest) => {
          const copy = { ...base.copyProfile(source, ...rest), cookies: source.cookies };
          sources.set(copy.id, source.id);
          return copy;
        },
        storeProfile: (organization, profile) => {
          const before = organization.profiles.get(profile.id);
          base.storeProfile(organization, profile);
          const source = organization.profiles.get(sources.get(profile.id) ?? '');
          const gone = before?.cookies.filter(({ id }) => !profile.cookies.some((one) => one.id === id)) ?? [];
          const left = source?.cookies.filter(({ id }) => !gone.some((one) => one.id === id));
          if (source && left) base.storeProfile(organization, { ...source, cookies: left });
        },
      };
    },
  },
  {
    id: 'copies-elsewhere-have-no-description',
    breaks: ['duplicate-copies-settings'],
    says: 'A copy in another organization has no description.',
    behaviour: copying((copy, source) =>
      copy.organizationId === source.organizationId ? copy : { ...copy, description: '' },
    ),
  },
  {
    id: 'copies-elsewhere-have-no-cookies',
    breaks: ['duplicate-copies-cookies'],
    says: 'A copy in another organization has none of the cookies.',
    behaviour: copying((copy, source) =>
      copy.organizationId === source.organizationId ? copy : { ...copy, cookies: [] },
    ),
  },
  forgets('copies-have-no-proxy-mode', 'A copy has no proxy mode, whose name the contract does not know.', {
    proxyMode: 'none',
  }),
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
    id: 'copies-cannot-be-used',
    breaks: ['duplicate-is-new'],
    says: 'A copy can be updated, and to a start there is no such profile.',
    behaviour: knowingSources((sources, base) => ({
      selectProfile: (organization, id) =>
        sources.has(id.toLowerCase()) ? undefined : base.selectProfile(organization, id),
    })),
  },
  {
    id: 'runs-with-a-copy-show-its-source',
    breaks: ['profile-is-recorded'],
    says: 'An execution that was started with a copy shows the profile that was copied.',
    behaviour: knowingSources((sources, base) => ({
      presentExecution: (run) => {
        const shown = base.presentExecution(run);
        const source = sources.get(shown.agentProfileId ?? '');
        return source === undefined ? shown : { ...shown, agentProfileId: source };
      },
    })),
  },
  {
    id: 'names-are-unique-everywhere',
    breaks: ['update-applies'],
    says: 'A name that a profile of another organization has is refused.',
    behaviour: reachingAbroad((base) => {
      const all = new Map<string, string>();
      const store = ({ id, name }: Profile) => all.set(id, name);
      return {
        storeCopy: (organization, copy, ...rest) => {
          store(copy);
          base.storeCopy(organization, copy, ...rest);
        },
        storeProfile: (organization, profile) => {
          store(profile);
          base.storeProfile(organization, profile);
        },
        checkName: (organization, profile) =>
          all.get(profile.id) !== profile.name &&
          [...all].some(([id, name]) => id !== profile.id && name === profile.name)
            ? nameTaken()
            : base.checkName(organization, profile),
      };
    }),
  },
  {
    id: 'names-abroad-are-not-unique',
    breaks: ['profile-name-is-unique'],
    says: 'In another organization a profile may have the name of another one.',
    behaviour: reachingAbroad((base) => ({
      checkName: (organization, profile) =>
        profile.organizationId === organization.id ? base.checkName(organization, profile) : undefined,
    })),
  },
  {
    id: 'names-stay-taken',
    breaks: ['update-applies'],
    says: 'A name that a profile had once is refused from then on, also to that profile.',
    behaviour: (base) => {
      const taken = new Set<string>();
      return {
        checkName: (organization, profile) => {
          const before = organization.profiles.get(profile.id)?.name;
          if (before === profile.name) return undefined;
          if (taken.has(profile.name)) return nameTaken();
          if (before !== undefined) taken.add(before);
          return base.checkName(organization, profile);
        },
      };
    },
  },
  {
    id: 'copies-abroad-share-a-name',
    breaks: ['duplicate-name-is-unique'],
    says: 'A copy in another organization has the name of its source, also where another copy has it there.',
    behaviour: copying((copy, source) =>
      copy.organizationId === source.organizationId ? copy : { ...copy, name: source.name },
    ),
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
    id: 'copies-have-twenty-five-credentials',
    breaks: ['duplicate-copies-credentials'],
    says: 'A copy has the first 25 of the credentials.',
    behaviour: copying((copy) => ({ ...copy, credentials: copy.credentials.slice(0, 25) })),
  },
  {
    id: 'cookies-of-copies-are-http-only',
    breaks: ['duplicate-copies-cookies'],
    says: 'Every cookie of a copy is httpOnly.',
    behaviour: copying((copy) => ({ ...copy, cookies: copy.cookies.map((one) => ({ ...one, httpOnly: true })) })),
  },
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
