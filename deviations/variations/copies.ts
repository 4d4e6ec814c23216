/** Unusual ways to copy profiles. */

import { Refusal } from '../../reference/errors.js';
import { changing, failing, reachingAbroad } from '../change.js';
import { behaving, type Variation } from '../variation.js';

export const copyVariations: readonly Variation[] = [
  ...behaving({
    // What a key copied into another organization it may update there, and copy again.
    'keys-reach-abroad': reachingAbroad(() => ({})),
    'no-second-name-abroad': reachingAbroad(
      failing(
        'copyProfile',
        (source, name, organization) =>
          name !== source.name &&
          organization.id !== source.organizationId &&
          new Refusal(400, `The organization has a profile ${source.name}.`),
      ),
    ),
    'copies-as-old-as-their-source': (base) => {
      let copies = 0;
      return {
        copyName: () => {
          copies += 1;
          return `Profile ${copies}`;
        },
        copyProfile: (source, ...rest) => ({
          ...base.copyProfile(source, ...rest),
          createdAt: source.createdAt,
          updatedAt: source.updatedAt,
        }),
      };
    },
    'extensions-of-one-organization': changing('copyProfile', (copy, source, _name, organization) =>
      organization.id === source.organizationId ? copy : { ...copy, extensionIds: [] },
    ),
  }),
];
