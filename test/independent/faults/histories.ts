/** Faults that rest on what came before, on a count, on the time, on an id, on a value, or on two fields together. */
import type { Fault } from '../hooks.js';
import { type Call, copyOf, type Fields, fieldsOf, isTerminal, type Profile, type Value } from '../state.js';
import { added, faultsOf, hook, implied, isStart, isSync, mapTexts } from './make.js';

const lower = (value: Value | undefined) => String(value).toLowerCase();
/** Every other two seconds. */
const isOddTime = ({ now }: Call) => Math.floor(now / 2000) % 2 === 1;
/** Counts by a name. */
function counter(): (name: string) => number {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
}
const asked = (profile: Profile, { body }: Call, ...names: string[]) => names.every((name) => name in body) && profile;

export const startHistories: readonly Fault[] = [
  ...faultsOf({
    // queued: only with onCapacityLimit queue.
    'start-says-queued-from-the-twelfth-on': hook('answers', (a, c) => {
      if (c.operation === 'execute' && a.status === 202 && c.n > 12 && c.body.onCapacityLimit === undefined)
        fieldsOf(a.body).status = 'queued';
    }),
    // One run is an execution.
    'equal-start-after-the-end-is-the-first': () => {
      const known = new Map<string, Value | undefined>();
      return hook('answers', (a, c) => {
        if (c.operation !== 'execute' || a.status !== 202) return;
        const name = JSON.stringify(c.body.inputs ?? c.n);
        const first = c.state.executions.get(lower(known.get(name)));
        if (first && isTerminal(first.status)) fieldsOf(a.body).executionId = first.id;
        else known.set(name, fieldsOf(a.body).executionId);
      });
    },
    // The server normalises it to a slug.
    'variant-key-with-dots-refused': hook('answers', (a, c) => {
      const { variantKey } = fieldsOf(c.body.executionOptions);
      if (typeof variantKey === 'string' && variantKey.includes('.')) a.status = 400;
    }),
    // executionOptions: softTimeoutMins and variantKey.
    'softTimeoutMins-with-variantKey-lost': implied(
      hook('starts', (e) => {
        if (e.options?.sharedStorageKey !== undefined) delete e.options.softTimeoutMins;
      }),
    ),
  }),
];

export const recordHistories: readonly Fault[] = [
  ...faultsOf({
    // String pairs attached at start.
    'metadata-takes-values-of-inputs-of-the-same-name': hook('starts', (e) => {
      for (const [name, value] of Object.entries(e.inputs ?? {}))
        if (e.metadata && name in e.metadata && typeof value === 'string') e.metadata[name] = value;
    }),
    // Input variables used.
    'inputs-keep-those-of-the-run-before': () => {
      const last = new Map<string, Fields>();
      return hook('starts', (e) => {
        const before = last.get(e.workflow.id);
        last.set(e.workflow.id, copyOf(e.inputs ?? {}));
        if (e.inputs) e.inputs = { ...before, ...e.inputs };
      });
    },
    'inputs-lists-reversed-on-each-third-reading': hook('shows', (view, e) => {
      if (e.reads % 3 !== 0) return;
      for (const [name, value] of Object.entries(fieldsOf(view.inputs)))
        if (Array.isArray(value)) fieldsOf(view.inputs)[name] = value.toReversed();
    }),
    // String values.
    'metadata-long-digits-rounded': hook('starts', (e) => {
      if (e.metadata)
        e.metadata = fieldsOf(mapTexts(e.metadata, (text) => (/^\d{16,}$/.test(text) ? String(Number(text)) : text)));
    }),
    // Input variables used.
    'inputs-exponents-spelt-out': hook('starts', (e) => {
      if (e.inputs)
        e.inputs = fieldsOf(mapTexts(e.inputs, (text) => (/^\d+e\d+$/i.test(text) ? String(Number(text)) : text)));
    }),
    'inputs-names-that-differ-in-case-are-one': implied(
      hook('starts', (e) => {
        const seen = new Set<string>();
        for (const name of Object.keys(e.inputs ?? {}))
          if (seen.has(lower(name)) && e.inputs) delete e.inputs[name];
          else seen.add(lower(name));
      }),
    ),
    'inputs-equal-to-another-lost': implied(
      hook('starts', (e) => {
        const seen = new Set<string>();
        for (const [name, value] of Object.entries(e.inputs ?? {})) {
          const text = JSON.stringify(value);
          if (seen.has(text) && typeof value === 'string' && e.inputs) delete e.inputs[name];
          seen.add(text);
        }
      }),
    ),
    'inputs-cut-at-65535': hook('starts', (e) => {
      if (e.inputs) e.inputs = fieldsOf(mapTexts(e.inputs, (text) => text.slice(0, 65_535)));
    }),
    // String pairs attached at start.
    'metadata-of-runs-long-ago-forgotten': implied(
      hook('shows', (view, e, { n }) => {
        if (n > 200 && isTerminal(e.status)) view.metadata = {};
      }),
    ),
    // Input variables used.
    'inputs-of-an-eighth-of-ids-empty': implied(
      hook('shows', (view, e) => {
        if (/^[01]/.test(e.id) && view.inputs !== undefined) view.inputs = {};
      }),
    ),
    // executionOptions of the start.
    'options-of-the-start-before-when-none-given': implied(() => {
      let last: Fields | undefined;
      return hook('starts', (e) => {
        if (!e.options && last) e.options = copyOf(last);
        else last = e.options;
      });
    }),
  }),
];

export const executionHistories: readonly Fault[] = [
  ...faultsOf({
    // Returns one execution.
    'reading-is-304-the-fourth-time': hook('answers', (a, c) => {
      if (c.operation === 'getExecution' && a.status === 200 && c.state.executions.get(lower(c.id))?.reads === 4)
        Object.assign(a, { status: 304, body: undefined });
    }),
    // When it was created.
    'created-at-moves-with-each-reading': implied(
      hook('shows', (view, e) => {
        if (e.reads > 2 && typeof view.createdAt === 'string')
          view.createdAt = new Date(Date.parse(view.createdAt) + e.reads).toISOString();
      }),
    ),
    // Seconds; of a terminal execution.
    'duration-grows-after-the-end': hook('shows', (view, e, { now }) => {
      if (view.duration !== undefined) view.duration = Math.round((now - e.createdAt) / 1000);
    }),
    // outcome: success or failure.
    'outcome-is-ok-at-odd-times': hook('shows', (view, _, call) => {
      const result = fieldsOf(view.executionResult);
      if (isOddTime(call) && result.outcome === 'success') result.outcome = 'ok';
    }),
    // When a terminal state was reached.
    'terminal-at-in-local-time-at-odd-times': hook('shows', (view, _, call) => {
      if (isOddTime(call) && typeof view.terminalAt === 'string')
        view.terminalAt = new Date(Date.parse(view.terminalAt) - 3_600_000).toISOString();
    }),
    // comments: required array.
    'comments-are-null-when-paused': { shows: (view, e) => e.status === 'paused' && (view.comments = null) },
    // executionId of the result is that of the execution.
    'result-id-is-of-the-run-before': () => {
      let last: Value | undefined;
      return hook('shows', (view, e) => {
        const result = fieldsOf(view.executionResult);
        if (result.executionId === undefined) return;
        if (e.order % 5 === 0 && last !== undefined) result.executionId = last;
        last = e.id;
      });
    },
    // An accepted execution can be read.
    'executions-forgotten-after-a-restart': implied(
      hook('answers', (a, c) => {
        const execution = c.state.executions.get(lower(c.id));
        if (
          c.operation === 'getExecution' &&
          c.n > 250 &&
          a.status === 200 &&
          execution &&
          isTerminal(execution.status)
        )
          Object.assign(a, { status: 404, body: { code: 404, message: 'There is no such execution.' } });
      }),
    ),
    // executionResult: what was recorded.
    'result-once-read-is-gone-in-the-next-start': implied(() => {
      let starts = 0;
      const seen = new Map<string, number>();
      return {
        starts: () => (starts += 1),
        shows: (view, e) => {
          if (view.executionResult === undefined) return;
          const first = seen.get(e.id) ?? starts;
          seen.set(e.id, first);
          if (starts > first + 1) fieldsOf(view.executionResult).result = null;
        },
      };
    }),
  }),
];

export const syncHistories: readonly Fault[] = [
  ...faultsOf({
    // timeoutSeconds: default 25.
    'sync-default-is-the-wait-before': () => {
      let last = 25_000;
      return hook('waits', (ms, { body }) => {
        if (body.timeoutSeconds !== undefined) last = ms;
        return body.timeoutSeconds === undefined ? last : ms;
      });
    },
    // executionResult: present when a result was recorded.
    'sync-second-run-of-a-workflow-without-result': () => {
      const count = counter();
      return hook('answers', (a, c) => {
        if (isSync(c) && a.status === 200 && count(lower(c.id)) > 1) delete fieldsOf(a.body).executionResult;
      });
    },
  }),
];

export const fileHistories: readonly Fault[] = [
  ...faultsOf({
    // Errors rule 1: 404.
    'files-of-unknown-are-empty-from-the-third-on': () => {
      let unknown = 0;
      return hook('answers', (a, c) => {
        if (c.operation !== 'listExecutionFiles' || a.status !== 404) return;
        unknown += 1;
        const none = { debug: [], downloads: [], shared: [], tracing: [], uploads: [], workspace: [] };
        if (unknown > 2)
          Object.assign(a, { status: 200, body: { directories: none, lastUpdated: '2026-01-01T00:00:00Z' } });
      });
    },
    // All files of the execution.
    'file-listed-twice-from-the-third-listing-on': () => {
      const count = counter();
      return hook('lists', (view, e) => {
        const { downloads } = fieldsOf(view.directories);
        if (Array.isArray(downloads) && downloads.length > 0 && count(e.id) > 2)
          downloads.push(copyOf(downloads[0] ?? null));
      });
    },
  }),
];

export const capacityHistories: readonly Fault[] = [
  ...faultsOf({
    // queued starts automatically.
    'third-in-the-queue-is-forgotten': () => {
      let queued = 0;
      const forgotten = new Set<string>();
      return {
        starts: (e) => {
          if (e.status !== 'queued') return;
          queued += 1;
          if (queued % 3 === 0) forgotten.add(e.id);
        },
        next: (waiting) => waiting.find(({ id }) => !forgotten.has(id)),
      };
    },
    // The request fails.
    'third-over-capacity-runs': () => {
      let over = 0;
      return hook('refuses', (problem) => {
        if (problem === 'capacity') over += 1;
        return problem !== 'capacity' || over % 3 !== 0;
      });
    },
  }),
];

export const settingHistories: readonly Fault[] = [
  ...faultsOf({
    // The update applies.
    'flag-set-to-what-it-is-turns': hook('updates', (p, before, { body }) => {
      if (body.mediaBlockerActive !== undefined && body.mediaBlockerActive === before.settings.mediaBlockerActive)
        p.settings.mediaBlockerActive = body.mediaBlockerActive !== true;
    }),
    'description-as-it-is-clears-it': hook('updates', (p, before, { body }) => {
      if (body.description !== undefined && body.description === before.settings.description)
        p.settings.description = '';
    }),
    'name-with-a-long-description-ignored': hook('updates', (p, before, call) => {
      if (asked(p, call, 'name', 'description') && String(call.body.description).length > 250)
        p.settings.name = before.settings.name;
    }),
    'two-flags-together-are-swapped': hook('updates', (p, _, { body }) => {
      if (body.extraStealth === undefined || body.mediaBlockerActive === undefined) return;
      p.settings.extraStealth = body.mediaBlockerActive;
      p.settings.mediaBlockerActive = body.extraStealth;
    }),
    // Inbox becomes {prefix}@{inbox_domain}.
    'prefix-cut-at-a-dot': hook('updates', (p, _, { body }) => {
      if (typeof body.inboxEmailPrefix === 'string') p.settings.inboxEmailPrefix = body.inboxEmailPrefix.split('.')[0];
    }),
    // What is not sent does not change.
    'prefix-lost-at-a-rename': hook('updates', (p, before, { body }) => {
      if (body.name !== undefined && body.name !== before.settings.name) delete p.settings.inboxEmailPrefix;
    }),
    // The update applies.
    'sixteenth-update-is-said-and-not-done': () => {
      let updates = 0;
      return hook('updates', (p, before) => {
        updates += 1;
        if (updates % 16 !== 0) return;
        const said = copyOf(p.settings);
        const was = copyOf(before.settings);
        p.settings = said;
        queueMicrotask(() => (p.settings = was));
      });
    },
  }),
];

export const setHistories: readonly Fault[] = [
  ...faultsOf({
    // cookiesToAdd and cookiesToDelete.
    'cookie-replaced-in-one-update-is-gone': hook('updates', (p, before, { body }) => {
      const gone = before.cookies.filter((one) => !p.cookies.some(({ id }) => id === one.id));
      if (!('cookiesToAdd' in body)) return;
      p.cookies = p.cookies.filter(
        (one) =>
          before.cookies.some(({ id }) => id === one.id) ||
          !gone.some((old) => old.name === one.name && old.domain === one.domain),
      );
    }),
    // credentialsToAdd and credentialsToDelete.
    'credential-replaced-in-one-update-is-gone': hook('updates', (p, before, { body }) => {
      const gone = before.credentials.filter((one) => !p.credentials.some(({ id }) => id === one.id));
      if ('credentialsToAdd' in body)
        p.credentials = p.credentials.filter(
          (one) =>
            before.credentials.some(({ id }) => id === one.id) ||
            !gone.some((old) => lower(old.name) === lower(one.name)),
        );
    }),
    // Cookie ids to remove.
    'two-deletions-take-a-third': hook('updates', (p, _, { body }) => {
      if (Array.isArray(body.cookiesToDelete) && body.cookiesToDelete.length === 2) p.cookies.shift();
    }),
    // Cookies as they were sent.
    'cookie-http-only-and-not-secure-made-secure': hook('updates', (p) => {
      for (const cookie of p.cookies) if (cookie.httpOnly === true && cookie.secure === false) cookie.secure = true;
    }),
    // Cookies to add.
    'credential-named-as-a-cookie-loses-it': hook('updates', (p, before) => {
      const names = added('credentials', p, before).map(({ name }) => lower(name));
      p.cookies = p.cookies.filter(({ name }) => !names.includes(lower(name)));
    }),
    // credentialsToUpdate.
    'credentials-updated-beside-added-are-not': hook('updates', (p, before, call) => {
      if (!asked(p, call, 'credentialsToAdd', 'credentialsToUpdate')) return;
      for (const one of p.credentials) {
        const old = before.credentials.find(({ id }) => id === one.id);
        if (old) one.data = old.data;
      }
    }),
  }),
];

export const copyHistories: readonly Fault[] = [
  ...faultsOf({
    // Duplicates a profile.
    'copy-of-a-long-name-is-500': implied(
      hook('answers', (a, c) => {
        const source = c.state.profiles.get(lower(c.id));
        if (c.operation === 'duplicateProfile' && a.status < 300 && String(source?.settings.name).length > 248)
          Object.assign(a, { status: 500, body: { code: 500, message: 'It failed.' } });
      }),
    ),
    // With all settings, credentials and cookies.
    'third-copy-lacks-the-last-cookie': () => {
      let made = 0;
      return hook('copies', (copy) => {
        made += 1;
        if (made % 3 === 0) copy.cookies.pop();
      });
    },
  }),
];

export const keyHistories: readonly Fault[] = [
  ...faultsOf({
    // An invalid key yields 401.
    'wrong-key-let-in-after-eight': () => {
      let wrong = 0;
      return hook('entry', (entry) => {
        if (entry === 'invalid') wrong += 1;
        return entry === 'invalid' && wrong > 8 && wrong % 4 === 0 ? 'ok' : entry;
      });
    },
    // code equal to the status.
    'every-third-401-has-another-code': () => {
      let count = 0;
      return hook('answers', (a, c) => {
        if (a.status !== 401 || isStart(c) || c.operation === 'listExecutionFiles') return;
        count += 1;
        if (count % 3 === 0) a.body = { ...fieldsOf(a.body), code: 4010 };
      });
    },
    // Deletes an agent profile pool.
    'pool-is-back-after-four-seconds': () => {
      let deleted: { readonly id: string; readonly at: number } | undefined;
      const known = new Map<string, readonly string[]>();
      return {
        entry: (entry, { state, now }) => {
          for (const [id, { profileIds }] of state.groups) known.set(id, profileIds);
          const profileIds = deleted && now - deleted.at > 4000 && known.get(deleted.id);
          if (deleted && profileIds) state.groups.set(deleted.id, { id: deleted.id, profileIds });
          return entry;
        },
        deletes: ({ id, now }) => {
          deleted ??= { id: lower(id), at: now };
          return true;
        },
      };
    },
  }),
];
