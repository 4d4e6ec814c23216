/** Faults of copies and pools that show in one circumstance alone: for the second of a kind, beside something else, at a size. */

import { flags } from '../../checks.js';
import type { Fault } from '../../hooks.js';
import { type Call, copyOf, type Profile } from '../../state.js';
import { answersAs, copies, faultsOf, implied, isSync, lenient, must } from '../make.js';

export const seldomPools: readonly Fault[] = [
  ...faultsOf({
    // Deletes an agent profile pool.
    'pool-takes-another-with-it': {
      answers: (a, c) =>
        c.operation === 'deletePool' && a.status < 300 && c.state.groups.delete('99000000-0000-4000-8000-000000000001'),
    },
    'pool-stays-for-sync': lenient('unknown-named', 'profileGroupId', (c) => isSync(c) && poolOf(c)),
    'pool-stays-for-old-name': implied(
      lenient('unknown-named', undefined, (c) => poolOf(c) && c.body.profileGroupId === undefined),
    ),
    'pool-stays-for-queue': lenient('unknown-named', undefined, (c) => poolOf(c) && c.body.onCapacityLimit === 'queue'),
    // Insufficient permission yields 403.
    'pool-deleted-by-whom-it-refuses': {
      answers: (a, c) => c.operation === 'deletePool' && a.status === 403 && c.state.groups.delete(c.id.toLowerCase()),
    },
    // A missing or invalid key yields 401.
    'pool-deleted-without-key-though-401': {
      answers: (a, c) => c.operation === 'deletePool' && a.status === 401 && c.state.groups.delete(c.id.toLowerCase()),
    },
    // What does not exist is answered 404.
    'pool-deletion-of-unknown-succeeds-once': implied(() => {
      let n = 0;
      return {
        answers: (a, c) =>
          c.operation === 'deletePool' &&
          a.status === 404 &&
          n++ === 0 &&
          Object.assign(a, { status: 204, body: undefined }),
      };
    }),
  }),
];
const poolOf = (call: Call) =>
  [call.body.profileGroupId, call.body.agentProfilePoolId].includes('99000000-0000-4000-8000-000000000002');

export const seldomCopies: readonly Fault[] = [
  ...faultsOf({
    // Duplicates a profile with all settings, credentials and cookies.
    'copy-one-update-behind': () => {
      const was = new Map<string, Profile>();
      return {
        updates: (p, before) => was.set(p.id, before),
        copies: (c, s) => {
          const { name: _, ...old } = was.get(s.id)?.settings ?? s.settings;
          Object.assign(c.settings, copyOf(old));
        },
      };
    },
    'copy-second-without-cookies': () => {
      const seen = new Set<string>();
      return copies((c, s) => {
        if (seen.has(s.id)) c.cookies = [];
        seen.add(s.id);
      });
    },
    'copy-shown-but-not-stored': { copies: (c) => queueMicrotask(() => (c.cookies = c.cookies.slice(0, 1))) },
    'copy-elsewhere-shown-but-not-stored': {
      copies: (c, s) => c.organizationId !== s.organizationId && queueMicrotask(() => (c.settings.description = '')),
    },
    'copy-cookie-keys-lost': copies((c) => c.cookies.forEach((one) => (one.key = one.name))),
    'copy-cookie-domains-lost': copies((c) => c.cookies.forEach((one) => (one.domain = 'example.com'))),
    'copy-cookie-flags-swapped': copies((c) =>
      c.cookies.forEach((one) => ([one.secure, one.httpOnly] = [one.httpOnly, one.secure])),
    ),
    'copy-credentials-data-of-the-next': copies((c, s) =>
      c.credentials.forEach((one, i) => (one.data = s.credentials[i + 1]?.data ?? one.data)),
    ),
    'copy-at-most-10-cookies': copies((c) => (c.cookies = c.cookies.slice(0, 10))),
    // Defaults to the source profile's organization.
    'copy-of-a-copy-goes-home': copies(
      (c, s, call) =>
        s.copyOf && call.body.organizationId === undefined && (c.organizationId = call.state.organization),
    ),
    // organizationId: the target organization.
    'copy-home-by-id-refused': answersAs(
      400,
      (c, was) =>
        c.operation === 'duplicateProfile' &&
        was < 300 &&
        c.body.organizationId !== undefined &&
        c.body.organizationId === c.state.organization,
    ),
  }),
  // Duplicates a profile with all settings, credentials and cookies.
  ...flags.map((flag) =>
    must(
      `copy-turns-${flag}-on`,
      copies((c) => (c.settings[flag] = true)),
    ),
  ),
];
