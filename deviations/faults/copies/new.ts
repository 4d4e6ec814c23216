import { Refusal, refuseParameter } from '../../../reference/errors.js';
import { organizationIds } from '../../../reference/fixtures.js';
import { bodyOf, copying, knowingSources, refusing } from '../../change.js';
import type { Fault } from '../../fault.js';

/** Faults in that a copy is a new profile, in its name and its organization. */
export const newCopyFaults: readonly Fault[] = [
  {
    id: 'duplicates-are-the-source',
    breaks: ['duplicate-is-new', 'duplicate-name-is-unique', 'duplicate-into-organization'],
    says: 'The answer to a duplicate is the profile itself.',
    behaviour: () => ({ copyProfile: (source) => source }),
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
    id: 'copies-have-the-same-name',
    breaks: ['duplicate-name-is-unique', 'duplicate-is-independent', 'update-is-partial'],
    says: 'A copy is shown under the name of its source.',
    behaviour: bodyOf('duplicateProfile', (body) => ({ ...body, name: String(body.name).replace(/ \(copy.*\)$/, '') })),
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
    behaviour: refusing(
      'organizationId',
      (body, operation) => operation === 'duplicateProfile' && !('organizationId' in body),
    ),
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
];
