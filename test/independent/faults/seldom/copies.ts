/** Faults of copies and pools that show in one circumstance alone: for the second of a kind, beside something else, at a size. */

import { flags } from '../../checks.js';
import type { Fault } from '../../hooks.js';
import { type Call, copyOf, type Profile } from '../../state.js';
import { must, should } from '../make.js';
import { answersAs, copies, isSync, kept } from './make.js';

const deletes = 'Deletes an agent profile pool.';
export const seldomPools: readonly Fault[] = [
  must('pool-takes-another-with-it', deletes, {
    answers: (a, c) =>
      void (
        c.operation === 'deletePool' &&
        a.status < 300 &&
        c.state.groups.delete('99000000-0000-4000-8000-000000000001')
      ),
  }),
  must(
    'pool-stays-for-sync',
    deletes,
    kept((c) => isSync(c) && poolOf(c), 'unknown-named', 'profileGroupId'),
  ),
  should(
    'pool-stays-for-old-name',
    deletes,
    kept((c) => poolOf(c) && c.body.profileGroupId === undefined, 'unknown-named'),
  ),
  must(
    'pool-stays-for-queue',
    deletes,
    kept((c) => poolOf(c) && c.body.onCapacityLimit === 'queue', 'unknown-named'),
  ),
  must('pool-deleted-by-whom-it-refuses', 'Insufficient permission yields 403.', {
    answers: (a, c) =>
      void (c.operation === 'deletePool' && a.status === 403 && c.state.groups.delete(c.id.toLowerCase())),
  }),
  must('pool-deleted-without-key-though-401', 'A missing or invalid key yields 401.', {
    answers: (a, c) =>
      void (c.operation === 'deletePool' && a.status === 401 && c.state.groups.delete(c.id.toLowerCase())),
  }),
  should('pool-deletion-of-unknown-succeeds-once', 'What does not exist is answered 404.', () => {
    let n = 0;
    return {
      answers: (a, c) =>
        void (
          c.operation === 'deletePool' &&
          a.status === 404 &&
          n++ === 0 &&
          Object.assign(a, { status: 204, body: undefined })
        ),
    };
  }),
];
const poolOf = (call: Call) =>
  [call.body.profileGroupId, call.body.agentProfilePoolId].includes('99000000-0000-4000-8000-000000000002');

const allCopied = 'Duplicates a profile with all settings, credentials and cookies.';
export const seldomCopies: readonly Fault[] = [
  must('copy-one-update-behind', allCopied, () => {
    const was = new Map<string, Profile>();
    return {
      updates: (p, before) => void was.set(p.id, before),
      copies: (c, s) => {
        const { name: _, ...old } = was.get(s.id)?.settings ?? s.settings;
        Object.assign(c.settings, copyOf(old));
      },
    };
  }),
  must('copy-second-without-cookies', allCopied, () => {
    const seen = new Set<string>();
    return copies((c, s) => {
      if (seen.has(s.id)) c.cookies = [];
      seen.add(s.id);
    });
  }),
  must('copy-shown-but-not-stored', allCopied, {
    copies: (c) => void queueMicrotask(() => (c.cookies = c.cookies.slice(0, 1))),
  }),
  must('copy-elsewhere-shown-but-not-stored', allCopied, {
    copies: (c, s) =>
      void (c.organizationId !== s.organizationId && queueMicrotask(() => (c.settings.description = ''))),
  }),
  must(
    'copy-cookie-keys-lost',
    allCopied,
    copies((c) => c.cookies.forEach((one) => void (one.key = one.name))),
  ),
  must(
    'copy-cookie-domains-lost',
    allCopied,
    copies((c) => c.cookies.forEach((one) => void (one.domain = 'example.com'))),
  ),
  must(
    'copy-cookie-flags-swapped',
    allCopied,
    copies((c) => c.cookies.forEach((one) => void ([one.secure, one.httpOnly] = [one.httpOnly, one.secure]))),
  ),
  must(
    'copy-credentials-data-of-the-next',
    allCopied,
    copies((c, s) => c.credentials.forEach((one, i) => void (one.data = s.credentials[i + 1]?.data ?? one.data))),
  ),
  must(
    'copy-at-most-10-cookies',
    allCopied,
    copies((c) => void (c.cookies = c.cookies.slice(0, 10))),
  ),
  must(
    'copy-of-a-copy-goes-home',
    "Defaults to the source profile's organization.",
    copies(
      (c, s, call) =>
        void (s.copyOf && call.body.organizationId === undefined && (c.organizationId = call.state.organization)),
    ),
  ),
  must(
    'copy-home-by-id-refused',
    'organizationId: the target organization.',
    answersAs(
      400,
      (c, was) =>
        c.operation === 'duplicateProfile' &&
        was < 300 &&
        c.body.organizationId !== undefined &&
        c.body.organizationId === c.state.organization,
    ),
  ),
  ...flags.map((flag) =>
    must(
      `copy-turns-${flag}-on`,
      allCopied,
      copies((c) => void (c.settings[flag] = true)),
    ),
  ),
];
