import type { Fault } from '../hooks.js';
import { copyOf, type Fields, fieldsOf, listOf, type Profile, type Value } from '../state.js';
import { faultsOf, hook, implied } from './make.js';

/** Counts for each profile. */
const counting = () => {
  const counts = new WeakMap<Profile, number>();
  return (profile: Profile): number => {
    const count = (counts.get(profile) ?? 0) + 1;
    counts.set(profile, count);
    return count;
  };
};
const asks = (body: object, field: string) => field in body;
/** What an update asked for of the settings, as they are now. */
const given = (body: object, settings: Fields): Fields =>
  Object.fromEntries(Object.entries(settings).filter(([field]) => field in body));
const flag = 'cachePersistence';

/** What only several requests show, one after the other or at the same time: each a line of thought of its own. */
export const sequenceFaults: readonly Fault[] = [
  ...faultsOf({
    // What is not sent does not change.
    'update-after-rename-of-a-copy-loses-the-description': implied(() => {
      const renamed = new WeakSet<Profile>();
      return hook('updates', (p, _, { body }) => {
        if (p.copyOf !== undefined && renamed.has(p) && asks(body, flag)) p.settings.description = '';
        if (asks(body, 'name')) renamed.add(p);
        else renamed.delete(p);
      });
    }),
    // Cookie ids to remove.
    'third-deletion-of-a-cookie-takes-another': () => {
      const count = counting();
      return hook('updates', (p, _, { body }) => {
        if (p.copyOf === undefined) return;
        if (listOf(body.cookiesToAdd).length === 0 && asks(body, 'cookiesToDelete') && count(p) === 3) p.cookies.pop();
      });
    },
    // Duplicates a profile.
    'copy-of-a-copy-shares-its-settings': implied(
      hook('copies', (copy, original) => {
        if (original.copyOf !== undefined) copy.settings = original.settings;
      }),
    ),
    'copy-of-a-renamed-copy-shares-its-cookies': implied(() => {
      const renamed = new WeakSet<Profile>();
      const copies = new WeakMap<Profile, Profile>();
      return {
        updates: (p, _, { body }) => {
          if (asks(body, 'name')) renamed.add(p);
          const copy = copies.get(p);
          if (copy) copy.cookies = copyOf(p.cookies);
        },
        copies: (copy, original) =>
          original.copyOf !== undefined && renamed.has(original) && copies.set(original, copy),
      };
    }),
    // Duplicates a profile with all settings, credentials and cookies.
    'copy-after-a-refusal-has-no-credentials': () => {
      const refused = new WeakSet<Profile>();
      return {
        refused: (p) => refused.add(p),
        copies: (copy, original) => {
          if (original.copyOf !== undefined && refused.has(original)) copy.credentials = [];
        },
      };
    },
    'copy-has-the-settings-before-the-last-update': () => {
      const former = new WeakMap<Profile, Profile>();
      return {
        updates: (p, before) => p.copyOf !== undefined && former.set(p, copyOf(before)),
        copies: (copy, original) => {
          const { description } = former.get(original)?.settings ?? {};
          if (description !== undefined) copy.settings.description = description;
        },
      };
    },
    // A refused update changes nothing.
    'refused-description-comes-with-the-next-cookie': implied(() => {
      const waiting = new WeakMap<Profile, string>();
      return {
        refused: (p, { body }) => {
          if (p.copyOf !== undefined && typeof body.description === 'string') waiting.set(p, body.description);
        },
        updates: (p, _, { body }) => {
          const description = waiting.get(p);
          if (description !== undefined && asks(body, 'cookiesToAdd')) p.settings.description = description;
        },
      };
    }),
    // What is not sent does not change.
    'flag-falls-back-at-the-second-rename': implied(() => {
      const count = counting();
      const first = new WeakMap<Profile, boolean>();
      return hook('updates', (p, before, { body }) => {
        if (p.copyOf === undefined) return;
        if (!first.has(p)) first.set(p, before.settings[flag] === true);
        if (asks(body, 'name') && !asks(body, flag) && count(p) === 2) p.settings[flag] = first.get(p) ?? false;
      });
    }),
    // Cookies to add.
    'fourth-cookie-of-a-copy-takes-the-place-of-the-first': hook('updates', (p, before) => {
      if (p.copyOf !== undefined && p.cookies.length >= before.cookies.length + 1 && before.cookies.length >= 4)
        p.cookies.shift();
    }),
    // Credentials to add.
    'credential-added-after-a-deletion-is-lost-at-the-next': () => {
      const removed = new WeakSet<Profile>();
      const doomed = new WeakMap<Profile, unknown>();
      return hook('updates', (p, before, { body }) => {
        if (p.copyOf === undefined) return;
        const id = doomed.get(p);
        if (id !== undefined && asks(body, 'description')) {
          p.credentials = p.credentials.filter((one) => one.id !== id);
          doomed.delete(p);
        }
        if (removed.has(p) && p.credentials.length > before.credentials.length) doomed.set(p, p.credentials.at(-1)?.id);
        if (asks(body, 'credentialsToDelete') && !asks(body, 'credentialsToAdd')) removed.add(p);
      });
    },
    // What is not sent does not change.
    'adblock-comes-back-with-two-flags': implied(
      hook('updates', (p, before, { body }) => {
        const flags = Object.values(body).filter((value) => typeof value === 'boolean').length;
        if (
          p.copyOf !== undefined &&
          flags >= 2 &&
          before.settings.adblockActive === false &&
          !asks(body, 'adblockActive')
        )
          p.settings.adblockActive = true;
      }),
    ),
    // A start reads a profile.
    'a-start-with-a-copy-resets-its-description': implied(
      hook('starts', (execution, { state }) => {
        const profile = state.profiles.get(execution.profileId ?? '');
        if (profile?.copyOf !== undefined) profile.settings.description = '';
      }),
    ),
    // What is not sent does not change.
    'updates-at-the-same-time-forget-each-other': implied(() => {
      const last = new WeakMap<Profile, { at: number; before: Profile }>();
      return hook('updates', (p, before, { now, body }) => {
        const other = last.get(p);
        if (other && now - other.at < 5) p.settings = { ...other.before.settings, ...given(body, p.settings) };
        last.set(p, { at: now, before: copyOf(before) });
      });
    }),
    // Unique within the organization.
    'copies-at-the-same-time-share-a-name': () => {
      let last: { at: number; name: unknown; source: string } | undefined;
      return hook('copies', (copy, original, { now }) => {
        if (last && now - last.at < 5 && last.source === original.id) copy.settings.name = last.name as string;
        last = { at: now, name: copy.settings.name, source: original.id };
      });
    },
    // One run of one workflow version is an execution.
    'equal-starts-at-the-same-time-are-one': () => {
      let last: { at: number; asked: string; id: Value | undefined } | undefined;
      return hook('answers', (answer, { operation, now, body }) => {
        const { executionId } = fieldsOf(answer.body);
        const asked = JSON.stringify(body);
        if (operation !== 'execute' || answer.status !== 202 || asked === '{}') return;
        if (last && now - last.at < 5 && last.asked === asked) fieldsOf(answer.body).executionId = last.id;
        else last = { at: now, asked, id: executionId };
      });
    },
  }),
];
