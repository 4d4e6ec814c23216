/** Faults of profiles that show in one circumstance alone: for the second of a kind, beside something else, at a size. */

import { flags } from '../../checks.js';
import type { Fault } from '../../hooks.js';
import { copyOf, type Fields, listOf, type Value } from '../../state.js';
import { added, after, answersAs, faultsOf, hook, implied, isUpdate, kin, lenient } from '../make.js';

export const seldomSettings: readonly Fault[] = [
  ...faultsOf({
    // popupBlockerActive requires adblock to be active.
    'popup-without-adblock-at-once': lenient(
      'popup',
      undefined,
      ({ body }) => body.adblockActive === false && body.popupBlockerActive === true,
    ),
    // name: Unique within the organization.
    'old-name-stays-taken': () => {
      const taken = new Map<string, Set<string>>();
      return {
        reads: (body, c) => {
          const names = taken.get(c.id) ?? new Set<string>();
          const was = c.state.profiles.get(c.id.toLowerCase())?.settings.name;
          if (isUpdate(c) && typeof body.name === 'string' && body.name !== was && typeof was === 'string')
            names.add(was);
          taken.set(c.id, names);
          return body;
        },
        answers: answersAs(400, (c, was) => {
          const now = c.state.profiles.get(c.id.toLowerCase())?.settings.name;
          return isUpdate(c) && was === 200 && c.body.name === now && (taken.get(c.id)?.has(String(now)) ?? false);
        }).answers,
      };
    },
    // Response 200: Agent profile.
    'update-answers-the-one-before-at-times': () => {
      const last = new Map<string, Fields>();
      let n = 0;
      return hook('profile', (v, p, c) => {
        const own = copyOf(v);
        if (isUpdate(c) && ++n % 4 === 0) Object.assign(v, last.get(p.id));
        last.set(p.id, own);
      });
    },
    // What is sent is set.
    'update-of-many-fields-in-part': after((p, before, c) => {
      if (flags.filter((flag) => c.body[flag] !== undefined).length > 3)
        p.settings.pdfViewerActive = before.settings.pdfViewerActive;
    }),
    'description-not-beside-lists': after(
      (p, before, c) => c.body.cookiesToAdd !== undefined && (p.settings.description = before.settings.description),
    ),
    'name-not-beside-description': after(
      (p, before, c) => c.body.description !== undefined && (p.settings.name = before.settings.name),
    ),
    // What is not sent does not change.
    'update-reaches-every-profile': implied(
      after((p, _, c) => {
        for (const other of c.state.profiles.values())
          if (other !== p && other.copyOf === undefined)
            for (const flag of flags) if (c.body[flag] !== undefined) other.settings[flag] = copyOf(c.body[flag]);
      }),
    ),
    // Copy and source do not change with each other.
    'update-of-a-copy-reaches-its-source': implied(
      after((p, _, c) => {
        for (const other of kin(p, c)) other.settings.description = p.settings.description ?? '';
      }),
    ),
    // What is not sent does not change.
    'flags-forgotten-after-ten-updates': implied(
      after((p) => p.updates % 10 === 0 && (p.settings.allow3rdCookies = !p.settings.allow3rdCookies)),
    ),
    'prefix-lost-with-the-name': implied(
      after((p, _, c) => c.body.description !== undefined && delete p.settings.inboxEmailPrefix),
    ),
    // name: Unique within the organization.
    'name-of-a-copy-taken': {
      refuses: (p, c, f) =>
        !(
          p === 'name-taken' &&
          f === 'name' &&
          [...c.state.profiles.values()].some((one) => one.copyOf !== undefined && one.settings.name === c.body.name)
        ),
    },
  }),
];

export const seldomSets: readonly Fault[] = [
  ...faultsOf({
    // cookiesToAdd.
    'cookies-added-lost-beside-deleted': after((p, before, c) => {
      if (Array.isArray(c.body.cookiesToDelete) && c.body.cookiesToDelete.length > 0) {
        const fresh = added('cookies', p, before);
        p.cookies = p.cookies.filter((one) => !fresh.includes(one));
      }
    }),
    // cookiesToDelete.
    'cookies-not-deleted-beside-added': after((p, before, c) => {
      if (listOf(c.body.cookiesToAdd).length > 0 && Array.isArray(c.body.cookiesToDelete))
        p.cookies.push(...before.cookies.filter(({ id }) => !p.cookies.some((one) => one.id === id)));
    }),
    // credentialsToUpdate.
    'credentials-not-updated-beside-added': after((p, before, c) => {
      if (listOf(c.body.credentialsToAdd).length > 0)
        for (const one of p.credentials) {
          const was = before.credentials.find(({ id }) => id === one.id);
          if (was) one.data = was.data;
        }
    }),
    'credential-second-update-lost': () => {
      const seen = new Set<Value | undefined>();
      return after((p, before, c) => {
        for (const { name } of listOf(c.body.credentialsToUpdate))
          for (const one of p.credentials)
            if (String(one.name).toLowerCase() === String(name).toLowerCase()) {
              if (seen.has(one.id)) one.data = before.credentials.find(({ id }) => id === one.id)?.data;
              seen.add(one.id);
            }
      });
    },
    // Matched by name, case-insensitively.
    'credential-update-by-ascii-case': {
      reads: (body, c) =>
        listOf(body.credentialsToUpdate).length > 0
          ? {
              ...body,
              credentialsToUpdate: listOf(body.credentialsToUpdate).filter(({ name }) =>
                c.state.profiles
                  .get(c.id.toLowerCase())
                  ?.credentials.some(
                    (one) =>
                      one.name === name ||
                      (/^[ -~]*$/.test(String(name)) && String(one.name).toLowerCase() === String(name).toLowerCase()),
                  ),
              ),
            }
          : body,
    },
    // Credential: data.
    'credentials-data-swapped': after((p, before) => {
      const [one, other] = added('credentials', p, before);
      if (one && other) [one.data, other.data] = [other.data, one.data];
    }),
    'credential-leading-zeros-lost': after((p, before) => {
      for (const one of added('credentials', p, before)) one.data = String(one.data).replace(/^0+/, '');
    }),
    // Cookie: expiry.
    'cookie-expiry-without-its-offset': after((p, before) => {
      for (const one of added('cookies', p, before)) if (one.expiry) one.expiry = `${String(one.expiry).slice(0, 19)}Z`;
    }),
    // cookiesToAdd.
    'cookies-at-most-20': after((p) => (p.cookies = p.cookies.slice(0, 20))),
    // credentialsToAdd.
    'credentials-at-most-10': after((p) => (p.credentials = p.credentials.slice(0, 10))),
    // cookiesToDelete.
    'cookies-at-most-five-deleted': after((p, before, c) => {
      const gone = Array.isArray(c.body.cookiesToDelete) ? c.body.cookiesToDelete : [];
      p.cookies.push(...before.cookies.filter(({ id }) => gone.slice(5).includes(id ?? null)));
    }),
    'cookie-last-stays': after((p, before) => {
      const last = before.cookies.at(-1);
      if (p.cookies.length === 0 && last) p.cookies = [last];
    }),
    // cookiesToDelete: cookie ids to remove.
    'cookies-deleted-by-name-too': after((p, before, c) => {
      const gone = Array.isArray(c.body.cookiesToDelete) ? c.body.cookiesToDelete : [];
      const names = before.cookies.filter(({ id }) => gone.includes(id ?? null)).map(({ name }) => name);
      const fresh = added('cookies', p, before);
      p.cookies = p.cookies.filter((one) => fresh.includes(one) || !names.includes(one.name));
    }),
    // credentialsToDelete.
    'credentials-deleted-by-beginning-of-name': after((p, before, c) => {
      const gone = Array.isArray(c.body.credentialsToDelete) ? c.body.credentialsToDelete : [];
      const names = before.credentials.filter(({ id }) => gone.includes(id ?? null)).map(({ name }) => String(name));
      const fresh = added('credentials', p, before);
      p.credentials = p.credentials.filter(
        (one) => fresh.includes(one) || !names.some((name) => String(one.name).startsWith(name)),
      );
    }),
    // Cookie: key.
    'cookie-key-lower-case': after((p, before) => {
      for (const one of added('cookies', p, before)) one.key = String(one.key).toLowerCase();
    }),
    // Copy and source do not change with each other.
    'credential-update-reaches-copies': implied(
      after((p, _, c) => {
        for (const { name, data } of listOf(c.body.credentialsToUpdate))
          for (const other of kin(p, c))
            for (const one of other.credentials) if (one.name === name && data !== undefined) one.data = data;
      }),
    ),
    'cookies-deleted-from-copies-too': implied(
      after((p, before, c) => {
        const gone = before.cookies.filter(({ id }) => !p.cookies.some((one) => one.id === id)).map(({ name }) => name);
        for (const other of kin(p, c)) other.cookies = other.cookies.filter(({ name }) => !gone.includes(name));
      }),
    ),
  }),
];
