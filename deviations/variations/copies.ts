/** Unusual ways to copy profiles. */

import { changing, reachingAbroad } from '../change.js';
import { behaving, type Variation } from '../variation.js';

export const copyVariations: readonly Variation[] = behaving({
  'keys-reach-abroad': reachingAbroad(() => ({})),
  'extensions-of-one-organization': changing('copyProfile', (copy, source, _name, organization) =>
    organization.id === source.organizationId ? copy : { ...copy, extensionIds: [] },
  ),
});
