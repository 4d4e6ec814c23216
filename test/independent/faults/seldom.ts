/** Faults that show in one circumstance alone: for the second of a kind, beside something else, after a while, at a size. */
import { flags } from '../checks.js';
import type { Fault, Hooks } from '../hooks.js';
import {
  type Call,
  copyOf,
  type Execution,
  type Fields,
  fieldsOf,
  isTerminal,
  listOf,
  type Operation,
  type Profile,
  type Status,
  type Value,
} from '../state.js';
import { cutAt, mapFields, mapLeaves, mapTexts, must, recorded, should } from './make.js';

const isSync = (call: Call) => call.operation === 'executeSync';
const isStart = (call: Call) => call.operation === 'execute' || isSync(call);
const isUpdate = (call: Call) => call.operation === 'updateProfile';
const executionOf = (call: Call) => call.state.executions.get(call.id.toLowerCase());
const kept = (when: (call: Call) => boolean, problem: string, field?: string): Partial<Hooks> => ({
  refuses: (p, c, f) => !(p === problem && (field === undefined || f === field) && when(c)),
});
const answersAs = (status: number, when: (call: Call, was: number) => boolean, message = 'Not this one.') =>
  ({
    answers: (a, c) =>
      void (when(c, a.status) && Object.assign(a, { status, body: { code: status, message }, headers: a.headers })),
  }) satisfies Partial<Hooks>;
const after = (change: (p: Profile, before: Profile, call: Call) => void): Partial<Hooks> => ({ updates: change });
const copies = (change: (copy: Profile, source: Profile, call: Call) => void): Partial<Hooks> => ({ copies: change });
const shows = (change: (view: Fields, e: Execution, call: Call) => void): Partial<Hooks> => ({ shows: change });
const lists = (change: (files: Fields, e: Execution, call: Call) => void): Partial<Hooks> => ({
  lists: (view, e, call) => change(fieldsOf(view.directories), e, call),
});
const emptied = (directories: Fields) => {
  for (const name of Object.keys(directories)) directories[name] = [];
};
const added = (kind: 'cookies' | 'credentials', p: Profile, before: Profile) =>
  p[kind].filter((one) => !before[kind].some(({ id }) => id === one.id));
const kin = (p: Profile, call: Call) =>
  [...call.state.profiles.values()].filter((one) => one.copyOf === p.id || one.id === p.copyOf);

const all = 'Returns all files of the execution.';
export const seldomFiles: readonly Fault[] = [
  must(
    'files-lost-when-sync',
    all,
    lists((d, e) => void (e.sync && emptied(d))),
  ),
  must('files-of-the-first-run', all, () => {
    let first: Value | undefined;
    return lists((d, e) => {
      if (e.files.length === 0) return;
      first ??= { id: e.id, files: copyOf(d) };
      if (fieldsOf(first).id !== e.id) Object.assign(d, copyOf(fieldsOf(fieldsOf(first).files)));
    });
  }),
  must('files-of-the-first-run-under-its-name', all, () => {
    let first: Fields | undefined;
    return lists((d, e) => {
      if (e.files.length === 0) return;
      first ??= copyOf(d);
      for (const name of Object.keys(d)) d[name] = listOf(first[name]).map((file) => ({ ...file, executionId: e.id }));
    });
  }),
  must('files-as-first-listed', all, () => {
    const seen = new Map<string, Fields>();
    return lists((d, e) => {
      const first = seen.get(e.id);
      if (first) Object.assign(d, copyOf(first));
      else seen.set(e.id, copyOf(d));
    });
  }),
  must(
    'files-of-a-workflow-run-before-when-sync',
    'workflowId of a file is that of its execution.',
    lists((d, e) => {
      if (e.sync)
        for (const file of Object.values(d).flatMap(listOf)) file.workflowId = '11000000-0000-4000-8000-000000000001';
    }),
  ),
  must(
    'file-second-without-size',
    'Execution file: all required.',
    lists((d) => void delete Object.values(d).flatMap(listOf)[1]?.fileSize),
  ),
  ...(['queued', 'starting', 'paused', 'awaiting_confirmation', 'failed', 'cancelled'] as const).map((status: Status) =>
    must(
      `files-404-when-${status}`,
      '404 when the execution does not exist.',
      answersAs(
        404,
        (c, was) => c.operation === 'listExecutionFiles' && was === 200 && executionOf(c)?.status === status,
        'The execution was not found.',
      ),
    ),
  ),
  must(
    'files-404-when-sync',
    '404 when the execution does not exist.',
    answersAs(
      404,
      (c, was) => c.operation === 'listExecutionFiles' && was === 200 && executionOf(c)?.sync === true,
      'The execution was not found.',
    ),
  ),
  must('files-of-unknown-404-says-what-it-likes', '404 with an explanation that the execution was not found.', {
    answers: (a, c) =>
      void (c.operation === 'listExecutionFiles' && a.status === 404 && (a.body = { code: 404, message: 'Oops.' })),
  }),
];

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

const unauthorized = 'A missing or invalid key yields 401.';
const keyOf = (call: Call) => call.headers.get('X-Api-Key') ?? call.headers.get('X-Service-Agents-Api-Key') ?? '';
const real = 'independent-primary-key-5f0c';
const on = (operation: Operation, when: (call: Call) => boolean): Partial<Hooks> => ({
  entry: (entry, c) => (c.operation === operation && entry === 'invalid' && when(c) ? 'ok' : entry),
});
export const seldomKeys: readonly Fault[] = [
  must(
    'key-without-last-on-pools',
    unauthorized,
    on('deletePool', (c) => keyOf(c).slice(0, -1) === real.slice(0, -1)),
  ),
  must(
    'key-by-beginning-on-files',
    unauthorized,
    on('listExecutionFiles', (c) => keyOf(c).startsWith(real)),
  ),
  must(
    'key-in-any-case-on-updates',
    unauthorized,
    on('updateProfile', (c) => keyOf(c).toLowerCase() === real),
  ),
  must('key-empty-let-in-to-sync', unauthorized, {
    entry: (e, c) => (e === 'missing' && isSync(c) && c.headers.has('X-Api-Key') ? 'ok' : e),
  }),
  must('no-key-let-in-with-empty-body', unauthorized, {
    entry: (e, c) => (e === 'missing' && c.operation === 'duplicateProfile' && !c.hasBody ? 'ok' : e),
  }),
  must('wrong-key-let-in-the-second-time', unauthorized, () => {
    const seen = new Set<string>();
    return {
      entry: (e, c) => {
        if (e !== 'invalid') return e;
        const known = seen.has(keyOf(c));
        seen.add(keyOf(c));
        return known ? 'ok' : e;
      },
    };
  }),
  must('no-key-let-in-after-the-right-one', unauthorized, () => {
    let last = '';
    return {
      entry: (e, c) => {
        if (e === 'ok') last = c.path;
        return e === 'missing' && last === c.path ? 'ok' : e;
      },
    };
  }),
  must('restricted-let-in-to-what-it-made', 'Insufficient permission yields 403.', () => {
    let n = 0;
    return { entry: (e, c) => (e === 'forbidden' && c.operation === 'getExecution' && n++ > 0 ? 'ok' : e) };
  }),
  must(
    'restricted-is-400-for-bodies',
    'Insufficient permission yields 403.',
    answersAs(400, (c, was) => was === 403 && c.hasBody),
  ),
];

export const seldomStarts: readonly Fault[] = [
  must('temp-file-second-unknown-runs', 'Must have been pre-uploaded.', {
    refuses: (p, c, f) => !(p === 'unknown-named' && f === 'tempFiles' && listOf(c.body.tempFiles).length > 1),
  }),
  must('temp-files-second-refused', 'tempFiles: array.', {
    answers: answersAs(400, (c, was) => isStart(c) && was < 300 && listOf(c.body.tempFiles).length > 1).answers,
  }),
  should('unknown-group-waits-for-ever', 'A group that does not exist is refused.', {
    ...kept((c) => c.body.onCapacityLimit === 'queue', 'unknown-named', 'profileGroupId'),
  }),
  must('exclusive-not-with-queue', 'profileId and profileGroupId are mutually exclusive.', {
    ...kept((c) => c.body.onCapacityLimit === 'queue', 'exclusive', 'profileId'),
  }),
  should('unknown-version-4-runs', 'A version that does not exist is refused.', {
    ...kept((c) => c.body.version === 4, 'unknown-named', 'version'),
  }),
  must('version-0-runs-published', 'Version to run.', {
    ...kept((c) => c.body.version === 0, 'unknown-named', 'version'),
  }),
  should('variant-key-of-numbers-runs', 'variantKey: string.', {
    reads: (body) => {
      const { variantKey } = fieldsOf(body.executionOptions);
      return typeof variantKey === 'number'
        ? { ...body, executionOptions: { ...fieldsOf(body.executionOptions), variantKey: String(variantKey) } }
        : body;
    },
  }),
  ...['dynamicData', 'agentProfileId', 'agentProfilePoolId'].map((name) =>
    should(
      `wrong-type-of-${name}`,
      'The field has the type of the table.',
      kept(() => true, 'wrong-type', name),
    ),
  ),
  must(
    'metadata-many-refused',
    'metadata: object.',
    answersAs(400, (c, was) => isStart(c) && was < 300 && Object.keys(fieldsOf(c.body.metadata)).length > 8),
  ),
  must('sync-finds-the-run-of-the-same-inputs', 'The call is not idempotent.', () => {
    const seen = new Map<string, Value>();
    return {
      answers: (a, c) => {
        if (!isStart(c) || a.status >= 300 || c.body.inputs === undefined) return;
        const key = `${c.id} ${JSON.stringify(c.body.inputs)}`;
        const id = fieldsOf(a.body).executionId;
        if (isSync(c) && seen.has(key)) fieldsOf(a.body).executionId = seen.get(key);
        else if (id !== undefined) seen.set(key, id);
      },
    };
  }),
  must('one-run-of-a-workflow-at-a-time', 'One run of one workflow version is an execution.', {
    answers: (a, c) => {
      if (c.operation !== 'execute' || a.status >= 300) return;
      const going = [...c.state.executions.values()].find(
        (one) => one.workflow.id === c.id.toLowerCase() && one.status === 'running',
      );
      if (going) fieldsOf(a.body).executionId = going.id;
    },
  }),
];

const used = 'inputs: Input variables used.';
const attached = 'metadata: String-to-string pairs attached at start.';
const swapped = (field: 'inputs' | 'metadata'): Partial<Hooks> => {
  let waiting: Execution | undefined;
  return {
    starts: (e, c) => {
      if (e[field] === undefined) return;
      if (waiting?.createdAt !== undefined && c.now - waiting.createdAt < 30) {
        [e[field], waiting[field]] = [fieldsOf(waiting[field]), fieldsOf(e[field])];
        waiting = undefined;
      } else waiting = e;
    },
  };
};
export const seldomRecords: readonly Fault[] = [
  must('inputs-swapped-of-two-at-once', used, () => swapped('inputs')),
  must('metadata-swapped-of-two-at-once', attached, () => swapped('metadata')),
  must('inputs-of-the-next-in-the-queue', used, {
    shows: (v, e, c) => {
      const next = c.state.queue.at(-1);
      if (e.waited && next && next !== e && next.inputs) v.inputs = copyOf(next.inputs);
    },
  }),
  should(
    'inputs-gone-on-the-third-reading',
    used,
    shows((v, e) => void (e.reads === 3 && delete v.inputs)),
  ),
  should(
    'metadata-gone-on-the-second-reading',
    attached,
    shows((v, e) => void (e.reads === 2 && delete v.metadata)),
  ),
  must(
    'inputs-lists-cut-at-100',
    used,
    recorded('inputs', (f) => mapFields(f, (v) => (Array.isArray(v) ? v.slice(0, 100) : v))),
  ),
  must(
    'inputs-lists-cut-at-256',
    used,
    recorded('inputs', (f) => mapFields(f, (v) => (Array.isArray(v) ? v.slice(0, 256) : v))),
  ),
  must(
    'inputs-cut-at-16384',
    used,
    recorded('inputs', (f) => fieldsOf(mapTexts(f, cutAt(16_384)))),
  ),
  must(
    'inputs-huge-numbers-as-texts',
    used,
    recorded('inputs', (f) =>
      fieldsOf(mapLeaves(f, (v) => (typeof v === 'number' && Math.abs(v) > Number.MAX_SAFE_INTEGER ? String(v) : v))),
    ),
  ),
  must(
    'inputs-tiny-numbers-become-zero',
    used,
    recorded('inputs', (f) => fieldsOf(mapLeaves(f, (v) => (typeof v === 'number' && Math.abs(v) < 1e-6 ? 0 : v)))),
  ),
  must(
    'inputs-numbers-of-15-digits',
    used,
    recorded('inputs', (f) => fieldsOf(mapLeaves(f, (v) => (typeof v === 'number' ? Number(v.toPrecision(15)) : v)))),
  ),
  must(
    'metadata-cut-at-1024',
    attached,
    recorded('metadata', (f) => mapFields(f, (v) => String(v).slice(0, 1024))),
  ),
  must(
    'metadata-dates-normalised',
    attached,
    recorded('metadata', (f) =>
      mapFields(f, (v) => (/^\d{4}-\d\d-\d\dT/.test(String(v)) ? new Date(String(v)).toISOString() : v)),
    ),
  ),
  must(
    'metadata-decoded',
    attached,
    recorded('metadata', (f) => mapFields(f, (v) => String(v).replaceAll('+', ' '))),
  ),
  must(
    'metadata-quotes-lost',
    attached,
    recorded('metadata', (f) => mapFields(f, (v) => String(v).replaceAll('"', ''))),
  ),
  should(
    'metadata-null-words-dropped',
    attached,
    recorded('metadata', (f) =>
      mapFields(f, (v) => (['null', 'undefined', 'None'].includes(String(v)) ? undefined : v)),
    ),
  ),
  should(
    'metadata-at-most-50',
    attached,
    recorded('metadata', (f) => Object.fromEntries(Object.entries(f).slice(0, 50))),
  ),
  must('rerun-when-its-workflow-runs-again', 'True when rerun at least once.', {
    shows: (v, e, c) =>
      void (v.hasBeenRerun = [...c.state.executions.values()].some(
        (one) => one.workflow === e.workflow && one.createdAt > e.createdAt,
      )),
  }),
  must('parent-for-equal-starts', 'parentExecutionId: Execution this one was rerun from.', {
    shows: (v, e, c) => {
      const twin = [...c.state.executions.values()].find(
        (one) => one.order < e.order && JSON.stringify(one.asked) === JSON.stringify(e.asked),
      );
      if (twin) v.parentExecutionId = twin.id;
    },
  }),
  must('profile-of-another-run', 'agentProfileId: Profile used, if any.', {
    shows: (v, e, c) => {
      const other = [...c.state.executions.values()].find(
        (one) => one !== e && one.status === 'running' && one.profileId !== undefined,
      );
      if (e.profileId !== undefined && e.groupId === undefined && other) v.agentProfileId = other.profileId;
    },
  }),
  must('result-of-the-run-before', 'One run is an execution.', () => {
    let last: Fields | undefined;
    return shows((v, e) => {
      if (!v.executionResult) return;
      const own = { ...fieldsOf(v.executionResult), executionId: e.id };
      if (last) v.executionResult = { ...last, executionId: e.id };
      last = own;
    });
  }),
  must('soft-timeout-of-the-start-before', 'executionOptions: softTimeoutMins.', () => {
    let last: Fields | undefined;
    return {
      starts: (e) => {
        const own = e.options;
        if (own && last) e.options = last;
        if (own) last = own;
      },
    };
  }),
];

const toSet = 'What is sent is set.';
export const seldomSettings: readonly Fault[] = [
  must('popup-without-adblock-at-once', 'popupBlockerActive requires adblock to be active.', {
    refuses: (p, c) => !(p === 'popup' && c.body.adblockActive === false && c.body.popupBlockerActive === true),
  }),
  must('old-name-stays-taken', 'name: Unique within the organization.', () => {
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
  }),
  must('update-answers-the-one-before-at-times', 'Response 200: Agent profile.', () => {
    const last = new Map<string, Fields>();
    let n = 0;
    return {
      profile: (v, p, c) => {
        const own = copyOf(v);
        if (isUpdate(c) && ++n % 4 === 0) Object.assign(v, last.get(p.id));
        last.set(p.id, own);
      },
    };
  }),
  must(
    'update-of-many-fields-in-part',
    toSet,
    after((p, before, c) => {
      if (flags.filter((flag) => c.body[flag] !== undefined).length > 3)
        p.settings.pdfViewerActive = before.settings.pdfViewerActive;
    }),
  ),
  must(
    'description-not-beside-lists',
    toSet,
    after(
      (p, before, c) =>
        void (c.body.cookiesToAdd !== undefined && (p.settings.description = before.settings.description)),
    ),
  ),
  must(
    'name-not-beside-description',
    toSet,
    after((p, before, c) => void (c.body.description !== undefined && (p.settings.name = before.settings.name))),
  ),
  should(
    'update-reaches-every-profile',
    'What is not sent does not change.',
    after((p, _, c) => {
      for (const other of c.state.profiles.values())
        if (other !== p && other.copyOf === undefined)
          for (const flag of flags) if (c.body[flag] !== undefined) other.settings[flag] = copyOf(c.body[flag]);
    }),
  ),
  should(
    'update-of-a-copy-reaches-its-source',
    'Copy and source do not change with each other.',
    after((p, _, c) => {
      for (const other of kin(p, c)) other.settings.description = p.settings.description ?? '';
    }),
  ),
  should(
    'flags-forgotten-after-ten-updates',
    'What is not sent does not change.',
    after((p) => void (p.updates % 10 === 0 && (p.settings.allow3rdCookies = !p.settings.allow3rdCookies))),
  ),
  should(
    'prefix-lost-with-the-name',
    'What is not sent does not change.',
    after((p, _, c) => void (c.body.description !== undefined && delete p.settings.inboxEmailPrefix)),
  ),
  must('name-of-a-copy-taken', 'name: Unique within the organization.', {
    refuses: (p, c, f) =>
      !(
        p === 'name-taken' &&
        f === 'name' &&
        [...c.state.profiles.values()].some((one) => one.copyOf !== undefined && one.settings.name === c.body.name)
      ),
  }),
];

export const seldomSets: readonly Fault[] = [
  must(
    'cookies-added-lost-beside-deleted',
    'cookiesToAdd.',
    after((p, before, c) => {
      if (Array.isArray(c.body.cookiesToDelete) && c.body.cookiesToDelete.length > 0) {
        const fresh = added('cookies', p, before);
        p.cookies = p.cookies.filter((one) => !fresh.includes(one));
      }
    }),
  ),
  must(
    'cookies-not-deleted-beside-added',
    'cookiesToDelete.',
    after((p, before, c) => {
      if (listOf(c.body.cookiesToAdd).length > 0 && Array.isArray(c.body.cookiesToDelete))
        p.cookies.push(...before.cookies.filter(({ id }) => !p.cookies.some((one) => one.id === id)));
    }),
  ),
  must(
    'credentials-not-updated-beside-added',
    'credentialsToUpdate.',
    after((p, before, c) => {
      if (listOf(c.body.credentialsToAdd).length > 0)
        for (const one of p.credentials) {
          const was = before.credentials.find(({ id }) => id === one.id);
          if (was) one.data = was.data;
        }
    }),
  ),
  must('credential-second-update-lost', 'credentialsToUpdate.', () => {
    const seen = new Set<Value | undefined>();
    return after((p, before, c) => {
      for (const { name } of listOf(c.body.credentialsToUpdate))
        for (const one of p.credentials)
          if (String(one.name).toLowerCase() === String(name).toLowerCase()) {
            if (seen.has(one.id)) one.data = before.credentials.find(({ id }) => id === one.id)?.data;
            seen.add(one.id);
          }
    });
  }),
  must('credential-update-by-ascii-case', 'Matched by name, case-insensitively.', {
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
  }),
  must(
    'credentials-data-swapped',
    'Credential: data.',
    after((p, before) => {
      const [one, other] = added('credentials', p, before);
      if (one && other) [one.data, other.data] = [other.data, one.data];
    }),
  ),
  must(
    'credential-leading-zeros-lost',
    'Credential: data.',
    after((p, before) => {
      for (const one of added('credentials', p, before)) one.data = String(one.data).replace(/^0+/, '');
    }),
  ),
  must(
    'cookie-expiry-without-its-offset',
    'Cookie: expiry.',
    after((p, before) => {
      for (const one of added('cookies', p, before)) if (one.expiry) one.expiry = `${String(one.expiry).slice(0, 19)}Z`;
    }),
  ),
  must(
    'cookies-at-most-20',
    'cookiesToAdd.',
    after((p) => void (p.cookies = p.cookies.slice(0, 20))),
  ),
  must(
    'credentials-at-most-10',
    'credentialsToAdd.',
    after((p) => void (p.credentials = p.credentials.slice(0, 10))),
  ),
  must(
    'cookies-at-most-five-deleted',
    'cookiesToDelete.',
    after((p, before, c) => {
      const gone = Array.isArray(c.body.cookiesToDelete) ? c.body.cookiesToDelete : [];
      p.cookies.push(...before.cookies.filter(({ id }) => gone.slice(5).includes(id ?? null)));
    }),
  ),
  must(
    'cookie-last-stays',
    'cookiesToDelete.',
    after((p, before) => {
      const last = before.cookies.at(-1);
      if (p.cookies.length === 0 && last) p.cookies = [last];
    }),
  ),
  must(
    'cookies-deleted-by-name-too',
    'cookiesToDelete: cookie ids to remove.',
    after((p, before, c) => {
      const gone = Array.isArray(c.body.cookiesToDelete) ? c.body.cookiesToDelete : [];
      const names = before.cookies.filter(({ id }) => gone.includes(id ?? null)).map(({ name }) => name);
      const fresh = added('cookies', p, before);
      p.cookies = p.cookies.filter((one) => fresh.includes(one) || !names.includes(one.name));
    }),
  ),
  must(
    'credentials-deleted-by-beginning-of-name',
    'credentialsToDelete.',
    after((p, before, c) => {
      const gone = Array.isArray(c.body.credentialsToDelete) ? c.body.credentialsToDelete : [];
      const names = before.credentials.filter(({ id }) => gone.includes(id ?? null)).map(({ name }) => String(name));
      const fresh = added('credentials', p, before);
      p.credentials = p.credentials.filter(
        (one) => fresh.includes(one) || !names.some((name) => String(one.name).startsWith(name)),
      );
    }),
  ),
  must(
    'cookie-key-lower-case',
    'Cookie: key.',
    after((p, before) => {
      for (const one of added('cookies', p, before)) one.key = String(one.key).toLowerCase();
    }),
  ),
  should(
    'credential-update-reaches-copies',
    'Copy and source do not change with each other.',
    after((p, _, c) => {
      for (const { name, data } of listOf(c.body.credentialsToUpdate))
        for (const other of kin(p, c))
          for (const one of other.credentials) if (one.name === name && data !== undefined) one.data = data;
    }),
  ),
  should(
    'cookies-deleted-from-copies-too',
    'Copy and source do not change with each other.',
    after((p, before, c) => {
      const gone = before.cookies.filter(({ id }) => !p.cookies.some((one) => one.id === id)).map(({ name }) => name);
      for (const other of kin(p, c)) other.cookies = other.cookies.filter(({ name }) => !gone.includes(name));
    }),
  ),
];

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

const frees = 'Starts automatically, oldest first, as capacity frees.';
const holdsFor = (which: (e: Execution) => boolean): Partial<Hooks> => ({
  holds: (free, c) =>
    free &&
    ![...c.state.executions.values()].some(
      (one) =>
        isTerminal(one.status) && which(one) && one.groupId !== undefined && one.groupId === c.body.profileGroupId,
    ),
});
export const seldomCapacity: readonly Fault[] = [
  must(
    'failed-runs-hold-for-ever',
    frees,
    holdsFor((e) => e.status === 'failed'),
  ),
  must(
    'cancelled-runs-hold-for-ever',
    frees,
    holdsFor((e) => e.status === 'cancelled'),
  ),
  must(
    'sync-runs-hold-for-ever',
    frees,
    holdsFor((e) => e.sync),
  ),
  must(
    'queued-runs-hold-for-ever',
    frees,
    holdsFor((e) => e.waited),
  ),
  must('capacity-of-each-workflow', 'Every profile in the pool in use.', {
    holds: (free, c) =>
      free ||
      ![...c.state.executions.values()].some(
        (one) =>
          !isTerminal(one.status) && one.groupId === c.body.profileGroupId && one.workflow.id === c.id.toLowerCase(),
      ),
  }),
  must('sync-starts-hold-nothing', 'Every profile in the pool in use.', {
    starts: (e) => void (e.sync && e.groupId !== undefined && delete e.profileId),
  }),
  must('over-capacity-fails-afterwards', 'reject (default): the request fails.', {
    refuses: (p) => p !== 'capacity',
    starts: (e, c) => {
      if (e.status === 'queued' && c.body.onCapacityLimit !== 'queue')
        Object.assign(e, { status: 'starting', waited: false, order: -1 });
    },
    steps: (to, e) => (e.order === -1 ? 'failed' : to),
  }),
  must('queue-loses-those-with-metadata', frees, {
    next: (waiting) => waiting.find((one) => one.metadata === undefined),
  }),
  must('queue-twice-the-same', frees, {
    answers: (a, c) => {
      const [first] = c.state.queue;
      if (isStart(c) && fieldsOf(a.body).status === 'queued' && first && c.state.queue.length === 2)
        fieldsOf(a.body).executionId = first.id;
    },
  }),
  must('queued-id-of-no-run', 'Execution exists under the returned id.', {
    answers: (a, c) => {
      if (isSync(c) && fieldsOf(a.body).status === 'queued')
        fieldsOf(a.body).executionId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9';
    },
  }),
  must('queue-with-temp-files-sync-only', 'Temp files cannot be queued.', kept(isSync, 'temp-queue')),
];

export const seldomSyncs: readonly Fault[] = [
  must('sync-result-of-the-run-before', 'executionResult.', () => {
    let last: Value | undefined;
    return {
      answers: (a, c) => {
        const body = fieldsOf(a.body);
        if (!isSync(c) || !body.executionResult) return;
        const own = body.executionResult;
        if (last) body.executionResult = { ...fieldsOf(last), executionId: body.executionId };
        last = own;
      },
    };
  }),
  must('sync-waits-five-at-least', 'The call waits up to timeoutSeconds.', { waits: (ms) => Math.max(ms, 5000) }),
  must('sync-second-does-not-wait', 'Seconds to wait for the execution to finish.', () => {
    const going = new Set<string>();
    return {
      waits: (ms, c) => {
        const again = going.has(c.id);
        going.add(c.id);
        return again ? 0 : ms;
      },
      answers: (_, c) => void (isSync(c) && going.delete(c.id)),
    };
  }),
  must('sync-default-in-minutes', 'default 25.', {
    waits: (ms, c) => (c.body.timeoutSeconds === undefined ? ms / 60 : ms),
  }),
  must('sync-does-not-wait-for-groups', 'Seconds to wait for the execution to finish.', {
    waits: (ms, c) => (c.body.profileGroupId === undefined ? ms : 0),
  }),
  must('sync-200-when-queued', '202: the current status.', {
    answers: (a, c) => void (isSync(c) && fieldsOf(a.body).status === 'queued' && Object.assign(a, { status: 200 })),
  }),
  must('sync-timeout-25-is-over-at-20', 'Seconds to wait before returning 202.', {
    waits: (ms) => Math.min(ms, 20_000),
  }),
  must('sync-result-under-another-name', 'executionResult: present when a result was recorded.', {
    answers: (a, c) => {
      const body = fieldsOf(a.body);
      if (!isSync(c) || !body.executionResult) return;
      body.result = body.executionResult;
      delete body.executionResult;
    },
  }),
];
