import { Refusal } from '../../../reference/errors.js';
import { organizationIds } from '../../../reference/fixtures.js';
import { bodyOf, copying, failing, giving, knowingSources, refusing } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

/** Faults in that a copy is a new profile, in its name and its organization. */
export const newCopyFaults: readonly Fault[] = [
  ...breaking('duplicate-is-new', {
    'duplicates-are-the-source': [
      'The answer to a duplicate is the profile itself.',
      () => ({ copyProfile: (source) => source }),
    ],
    'all-copies-have-one-id': [
      'Every copy of a profile has the same id.',
      copying((copy, source) => ({ ...copy, id: source.id.replace(/^......../, '0c0c0c0c') })),
      'update-keeps-identity',
      'duplicate-is-independent',
    ],
    'duplicates-are-refused': [
      'A profile cannot be duplicated.',
      () => ({
        copyProfile: () => {
          throw new Refusal(400, 'The profile cannot be duplicated.');
        },
      }),
    ],
    'copies-cannot-be-used': [
      'A copy can be updated, and to a start there is no such profile.',
      knowingSources((sources, base) => ({
        selectProfile: (organization, id) =>
          sources.has(id.toLowerCase()) ? undefined : base.selectProfile(organization, id),
      })),
    ],
  }),
  ...breaking('duplicate-name-is-unique', {
    'copies-share-a-name': [
      'Every copy of a profile has the same name.',
      (base) => ({
        copyName: (name) => base.copyName(name, (taken) => taken === name),
        checkName: (organization, profile) =>
          profile.name.endsWith('(copy)') ? undefined : base.checkName(organization, profile),
      }),
      'profile-name-is-unique',
    ],
    'copies-have-the-same-name': [
      'A copy is shown under the name of its source.',
      bodyOf('duplicateProfile', (body) => ({ ...body, name: String(body.name).replace(/ \(copy.*\)$/, '') })),
      'update-is-partial',
    ],
    'copies-abroad-share-a-name': [
      'A copy in another organization has the name of its source, also where another copy has it there.',
      copying((copy, source) =>
        copy.organizationId === source.organizationId ? copy : { ...copy, name: source.name },
      ),
    ],
  }),
  ...breaking('duplicate-stays-in-organization', {
    'copies-go-elsewhere': [
      'Without organizationId a copy is in the other organization, where it cannot be updated.',
      giving('targetOrganization', (body) => ({ organizationId: organizationIds.other, ...body })),
      'duplicate-is-independent',
    ],
    'duplicates-need-a-body': [
      'A duplicate without a body is refused.',
      failing(
        'targetOrganization',
        (_source, body) => body === undefined && new Refusal(400, 'A JSON body is required.'),
      ),
    ],
    'duplicates-need-an-organization': [
      'A duplicate with an empty object is refused, whether the profile is there or not.',
      refusing('organizationId', (body, operation) => operation === 'duplicateProfile' && !('organizationId' in body)),
      'unknown-profile-is-404',
    ],
  }),
  ...breaking('duplicate-into-organization', {
    'copies-stay-at-home': [
      'Whatever the organizationId, a copy is in the organization of its source.',
      () => ({ targetOrganization: ({ organizationId }) => organizationId }),
      'duplicate-into-unknown-organization',
    ],
    'copies-of-copies-stay-at-home': [
      'Whatever the organizationId, the copy of a copy is in the organization of the copy.',
      knowingSources((sources, base) => ({
        targetOrganization: (source, body) =>
          base.targetOrganization(source, sources.has(source.id) ? undefined : body),
      })),
      'duplicate-into-unknown-organization',
    ],
  }),
];
