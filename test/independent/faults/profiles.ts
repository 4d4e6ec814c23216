import { flags } from '../checks.js';
import type { Fault, Hooks } from '../hooks.js';
import { type Call, copyOf, type Fields, fieldsOf, listOf, type Profile } from '../state.js';
import {
  after,
  copies,
  cutAt,
  everyNth,
  faultsOf,
  hook,
  implied,
  isUpdate,
  lenient,
  must,
  refusing,
  should,
} from './make.js';

const keeps = (field: string, which: (p: Profile, call: Call) => boolean = () => true) =>
  after((p, before, c) => which(p, c) && (p.settings[field] = before.settings[field]));
const alters = (field: string, change: (text: string) => string) =>
  after((p, _, c) => {
    const sent = c.body[field];
    if (typeof sent === 'string') p.settings[field] = change(sent);
  });
const view = (change: (v: Fields, p: Profile, c: Call) => void): Partial<Hooks> => ({ profile: change });
const rejects = (when: (call: Call) => boolean, status = 400): Partial<Hooks> => ({
  // The update is taken back, so that only the refusal is at fault.
  updates: (p, before, c) => when(c) && Object.assign(p, copyOf(before)),
  answers: (a, c) =>
    isUpdate(c) &&
    when(c) &&
    a.status < 300 &&
    Object.assign(a, { status, body: { code: status, message: 'Not this one.' } }),
});
const lengthOf = (call: Call, field: string) => [...String(call.body[field] ?? '')].length;
const eachCookie = (change: (cookie: Fields, call: Call) => void) =>
  after((p, before, c) => {
    const old = new Set(before.cookies.map(({ id }) => id));
    for (const one of p.cookies) if (!old.has(one.id)) change(one, c);
  });
const eachCredential = (change: (credential: Fields, call: Call) => void) =>
  after((p, before, c) => {
    const old = new Set(before.credentials.map(({ id }) => id));
    for (const one of p.credentials) if (!old.has(one.id)) change(one, c);
  });
const nth = (n: number, hooks: Partial<Hooks>): Partial<Hooks> => ({
  updates: (p, before, c) => p.updates >= n && hooks.updates?.(p, before, c),
});
const requiredFields = [
  'name',
  'organizationId',
  'description',
  'createdAt',
  'updatedAt',
  'adblockActive',
  'stickyIP',
  'tracingEnabled',
  'extensionIds',
  'inboxEmail',
  'cookies',
  'credentials',
];

export const settingFaults: readonly Fault[] = [
  // Required field of a profile.
  ...requiredFields.map((field) =>
    must(
      `profile-without-${field}`,
      view((v) => delete v[field]),
    ),
  ),
  ...faultsOf({
    'copy-answer-without-cookies': view((v, p) => p.copyOf && delete v.cookies),
  }),
  // What is sent is set.
  ...flags
    .filter((f) => !['captchaSolverActive', 'tracingEnabled'].includes(f))
    .map((flag) => must(`${flag}-not-set`, keeps(flag))),
  ...['adblockActive', 'pdfViewerActive', 'cachePersistence'].map((flag) =>
    must(
      `${flag}-never-cleared`,
      keeps(flag, (_, c) => c.body[flag] === false),
    ),
  ),
  ...['extraStealth', 'mediaBlockerActive'].map((flag) => must(`${flag}-once-only`, nth(3, keeps(flag)))),
  ...faultsOf({
    'flags-swapped': after((p, _, c) => {
      if (c.body.allow3rdCookies !== undefined && c.body.cachePersistence === undefined)
        p.settings.cachePersistence = c.body.allow3rdCookies;
    }),
    // What is not sent does not change.
    'flags-cleared-by-others': implied(
      after((p, before, c) => {
        if (c.body.name !== undefined && c.body.extraStealth === undefined && before.settings.extraStealth)
          p.settings.extraStealth = false;
      }),
    ),
    'description-cleared-by-others': implied(
      after((p, _, c) => c.body.description === undefined && (p.settings.description = '')),
    ),
    'extensions-cleared-by-others': implied(
      after((p, _, c) => c.body.extensionIds === undefined && (p.settings.extensionIds = [])),
    ),
    'prefix-cleared-by-others': implied(
      after((p, _, c) => c.body.inboxEmailPrefix === undefined && delete p.settings.inboxEmailPrefix),
    ),
    'cookies-cleared-by-others': implied(
      after(
        (p, _, c) =>
          c.body.cookiesToAdd === undefined &&
          c.body.credentialsToAdd === undefined &&
          c.body.name !== undefined &&
          (p.cookies = []),
      ),
    ),
    'credentials-cleared-by-cookies': implied(
      after(
        (p, _, c) => c.body.cookiesToAdd !== undefined && c.body.credentialsToAdd === undefined && (p.credentials = []),
      ),
    ),
    'proxy-type-cleared-by-others': implied(
      after((p, _, c) => c.body.proxyType === undefined && delete p.settings.proxyType),
    ),
    'custom-proxy-cleared-by-others': implied(after((p) => delete p.settings.customProxy)),
    'proxy-mode-cleared-by-others': implied(after((p) => delete p.settings.proxyMode)),
    'sticky-set-by-others': implied(after((p) => (p.settings.stickyIP = true))),
    // What is sent is set.
    'name-not-set': keeps('name'),
    'description-not-set': keeps('description'),
    'description-empty-not-set': keeps('description', (_, c) => c.body.description === ''),
    'description-second-not-set': nth(3, keeps('description')),
    'extensions-not-set': keeps('extensionIds'),
    'extensions-empty-not-set': keeps(
      'extensionIds',
      (_, c) => Array.isArray(c.body.extensionIds) && c.body.extensionIds.length === 0,
    ),
    'extensions-added': after(
      (p, before, c) =>
        c.body.extensionIds &&
        (p.settings.extensionIds = [
          ...new Set([...(before.settings.extensionIds as string[]), ...(c.body.extensionIds as string[])]),
        ]),
    ),
    'extensions-first-only': after(
      (p, _, c) => c.body.extensionIds && (p.settings.extensionIds = (c.body.extensionIds as string[]).slice(0, 1)),
    ),
    // Inbox becomes prefix@domain.
    'prefix-not-used': view((v, p) => (v.inboxEmail = `${p.id.slice(0, 8)}@inbox.example.com`)),
    'prefix-in-capitals': view((v) => (v.inboxEmail = String(v.inboxEmail).toUpperCase())),
    'prefix-plus-number': view(
      (v, p) => p.settings.inboxEmailPrefix && (v.inboxEmail = String(v.inboxEmail).replace('@', '1@')),
    ),
    // The prefix defaults to the first 8 characters of the profile id.
    'prefix-default-of-12': view(
      (v, p) => !p.settings.inboxEmailPrefix && (v.inboxEmail = `${p.id.slice(0, 13)}@inbox.example.com`),
    ),
    'prefix-default-of-name': view(
      (v, p) => !p.settings.inboxEmailPrefix && (v.inboxEmail = 'profile@inbox.example.com'),
    ),
    'prefix-default-of-copy-is-source': view(
      (v, p) =>
        p.copyOf && !p.settings.inboxEmailPrefix && (v.inboxEmail = `${p.copyOf.slice(0, 8)}@inbox.example.com`),
    ),
    // prefix@domain.
    'inbox-without-at': view((v) => (v.inboxEmail = String(v.inboxEmail).split('@')[0])),
    // proxyGatewayPresetId: uuid.
    'gateway-preset-not-set': after((p) => delete p.settings.proxyGatewayPresetId),
    // What is sent is set.
    'name-trimmed': alters('name', (t) => t.trim()),
    'name-ascii-only': alters('name', (t) => t.replaceAll(/[^\u0020-\u007e]/g, '?')),
    'name-basic-plane-only': alters('name', (t) => t.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
    'name-normalised': alters('name', (t) => t.normalize('NFC')),
    'name-escaped': alters('name', (t) => t.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    'name-quotes-lost': alters('name', (t) => t.replaceAll(/["']/g, '')),
    'name-slugged': alters('name', (t) => t.replaceAll(/[^A-Za-z0-9-]/g, '-')),
    'name-cut-at-64': alters('name', cutAt(64)),
    'name-cut-at-128': alters('name', cutAt(128)),
    'name-cut-at-254': alters('name', cutAt(254)),
    // name: length 1 to 255.
    'name-255-refused': rejects((c) => lengthOf(c, 'name') === 255),
    'name-over-200-refused': rejects((c) => lengthOf(c, 'name') > 200),
    'name-255-bytes': rejects(
      (c) => new TextEncoder().encode(String(c.body.name ?? '')).length > 255 && lengthOf(c, 'name') <= 255,
    ),
    'name-1-refused': rejects((c) => lengthOf(c, 'name') === 1),
    'name-of-2-refused': rejects((c) => c.body.name !== undefined && lengthOf(c, 'name') < 3),
    'name-empty-set': lenient('out-of-bounds', 'name-empty'),
    'name-256-set': lenient('out-of-bounds', 'name', (c) => lengthOf(c, 'name') === 256),
    'name-long-set': lenient('out-of-bounds', 'name'),
    'name-256-cut': { ...lenient('out-of-bounds', 'name'), ...alters('name', cutAt(255)) },
    // description: maximum length 1000.
    'description-1000-refused': rejects((c) => lengthOf(c, 'description') === 1000),
    'description-1000-bytes': rejects(
      (c) =>
        new TextEncoder().encode(String(c.body.description ?? '')).length > 1000 && lengthOf(c, 'description') <= 1000,
    ),
    'description-empty-refused': rejects((c) => c.body.description === ''),
    'description-1001-set': lenient('out-of-bounds', 'description', (c) => lengthOf(c, 'description') === 1001),
    'description-long-set': lenient('out-of-bounds', 'description'),
    // What is sent is set.
    'description-cut-at-255': alters('description', cutAt(255)),
    'description-cut-at-500': alters('description', cutAt(500)),
    'description-trimmed': alters('description', (t) => t.trim()),
    'description-line-ends-lost': alters('description', (t) => t.replaceAll(/[\r\n]+/g, ' ')),
    'description-escaped': alters('description', (t) => t.replaceAll('<', '&lt;')),
    'description-ascii-only': alters('description', (t) => t.replaceAll(/[^\u0009-\u007e]/g, '')),
    'description-basic-plane-only': alters('description', (t) => t.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
    // name: unique within the organization.
    'name-of-another-set': lenient('name-taken', 'name'),
    // popupBlockerActive requires adblock to be active.
    'popup-without-adblock-set': lenient('popup', 'popup'),
    'adblock-cleared-under-popup': lenient('popup', 'adblock'),
    // A refused update changes nothing.
    'refused-update-sets-name': implied({
      refused: (p, c) =>
        typeof c.body.name === 'string' &&
        lengthOf(c, 'name') < 200 &&
        c.body.name !== '' &&
        (p.settings.name = c.body.name),
    }),
    'refused-update-sets-description': implied({
      refused: (p, c) => typeof c.body.description === 'string' && (p.settings.description = c.body.description),
    }),
    'refused-update-sets-flags': implied({
      refused: (p, c) =>
        flags.forEach(
          (f) => typeof c.body[f] === 'boolean' && f !== 'popupBlockerActive' && (p.settings[f] = c.body[f]),
        ),
    }),
    'refused-update-deletes-cookies': implied({
      refused: (p, c) =>
        Array.isArray(c.body.cookiesToDelete) &&
        (p.cookies = p.cookies.filter((one) => !(c.body.cookiesToDelete as unknown[]).includes(one.id))),
    }),
    'refused-update-adds-cookies': implied({
      refused: (p, c) =>
        p.cookies.push(
          ...listOf(c.body.cookiesToAdd).map((one, i) => ({
            ...one,
            id: `0b9f1c3e-7a51-4f0e-9d3c-${String(i).padStart(12, '0')}`,
          })),
        ),
    }),
    'refused-update-touches': implied({ refused: (p, c) => (p.updatedAt = c.now) }),
    // createdAt stays.
    'update-changes-created': implied(view((v, p, c) => isUpdate(c) && (v.createdAt = v.updatedAt ?? p.createdAt))),
    // updatedAt.
    'update-does-not-touch': implied(after((p, before) => (p.updatedAt = before.updatedAt))),
    // updatedAt does not go back.
    'update-touches-backwards': implied(after((p, before) => (p.updatedAt = before.updatedAt - 1000))),
    // Response 200: Agent profile.
    'update-of-another-id': view((v, _, c) => isUpdate(c) && (v.id = '33000000-0000-4000-8000-000000000002')),
    // organizationId stays.
    'update-moves-organization': implied(after((p, _, c) => (p.organizationId = c.state.otherOrganization))),
    // Response 200.
    'update-201': { answers: (a, c) => isUpdate(c) && a.status === 200 && (a.status = 201) },
    // Response 200: Agent profile.
    'update-204': hook('answers', (a, c) => {
      if (isUpdate(c) && a.status === 200) {
        a.status = 204;
        delete a.body;
      }
    }),
    'update-shows-before': () => {
      const before = new Map<string, Fields>();
      return view((v, p, c) => {
        const own = copyOf(v);
        if (isUpdate(c)) Object.assign(v, before.get(p.id));
        before.set(p.id, own);
      });
    },
    // What is sent is set.
    'update-lost-at-times': () => {
      const now = everyNth(5);
      return after(
        (p, before, c) =>
          c.body.description !== undefined && now() && (p.settings.description = before.settings.description),
      );
    },
    'update-forgotten-after': () => {
      const shown = new Map<string, string>();
      return {
        ...view((v, p, c) => {
          if (c.body.description !== undefined) shown.set(p.id, String(v.description));
        }),
        updates: (p, before, c) =>
          c.body.description === undefined &&
          shown.has(p.id) &&
          p.settings.description === before.settings.description &&
          (p.settings.description = 'For the shop'),
      };
    },
    // password is excluded.
    'password-shown': view(
      (v, p) => v.customProxy && (v.customProxy = { ...fieldsOf(p.settings.customProxy), password: 'secret' }),
    ),
    // allowed value basic.
    'proxy-type-unknown': view((v) => v.proxyType && (v.proxyType = 'premium')),
  }),
  // The field has the type of the table.
  ...[
    'name',
    'description',
    'adblockActive',
    'extensionIds',
    'cookiesToAdd',
    'cookiesToDelete',
    'credentialsToAdd',
    'credentialsToUpdate',
    'inboxEmailPrefix',
    'proxyType',
  ].map((name) => should(`wrong-type-of-${name}-set`, lenient('wrong-type', name))),
];

export const setFaults: readonly Fault[] = [
  ...faultsOf({
    // cookiesToAdd.
    'cookie-not-added': after((p, before, c) => c.body.cookiesToAdd && (p.cookies = before.cookies)),
    'cookies-first-only': after(
      (p, before, c) => c.body.cookiesToAdd && (p.cookies = p.cookies.slice(0, before.cookies.length + 1)),
    ),
    'cookies-replaced': after(
      (p, before, c) => listOf(c.body.cookiesToAdd).length > 0 && (p.cookies = p.cookies.slice(before.cookies.length)),
    ),
    'cookie-added-twice': after(
      (p, before, c) =>
        c.body.cookiesToAdd &&
        p.cookies.push(
          ...p.cookies
            .slice(before.cookies.length)
            .map((one) => ({ ...one, id: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9' })),
        ),
    ),
    // Cookie: value.
    'cookie-value-lost': eachCookie((one) => (one.value = '')),
    'cookie-value-trimmed': eachCookie((one) => (one.value = String(one.value).trim())),
    'cookie-value-decoded': eachCookie((one) => (one.value = String(one.value).replaceAll(/%[0-9a-f]{2}/gi, ''))),
    'cookie-value-semicolon': eachCookie((one) => (one.value = String(one.value).split(';')[0])),
    'cookie-value-after-equals': eachCookie((one) => (one.value = String(one.value).split('=')[0])),
    'cookie-value-unquoted': eachCookie((one) => (one.value = String(one.value).replaceAll('"', ''))),
    'cookie-value-ascii': eachCookie((one) => (one.value = String(one.value).replaceAll(/[^\u0020-\u007e]/g, ''))),
    'cookie-value-cut-at-255': eachCookie((one) => (one.value = String(one.value).slice(0, 255))),
    'cookie-value-cut-at-1000': eachCookie((one) => (one.value = String(one.value).slice(0, 1000))),
    'cookie-value-cut-at-4096': eachCookie((one) => (one.value = String(one.value).slice(0, 4000))),
    // Cookie: domain.
    'cookie-domain-without-dot': eachCookie((one) => (one.domain = String(one.domain).replace(/^\./, ''))),
    'cookie-domain-with-dot': eachCookie((one) => (one.domain = `.${String(one.domain).replace(/^\./, '')}`)),
    'cookie-domain-lower-case': eachCookie((one) => (one.domain = String(one.domain).toLowerCase())),
    // Cookie: httpOnly.
    'cookie-http-only-always': eachCookie((one) => (one.httpOnly = true)),
    'cookie-http-only-never': eachCookie((one) => (one.httpOnly = false)),
    // Cookie: secure.
    'cookie-secure-always': eachCookie((one) => (one.secure = true)),
    'cookie-secure-never': eachCookie((one) => (one.secure = false)),
    // Cookie: httpOnly, secure.
    'cookie-flags-swapped': eachCookie((one) => ([one.secure, one.httpOnly] = [one.httpOnly, one.secure])),
    // Cookie: key.
    'cookie-key-is-name': eachCookie((one) => (one.key = one.name)),
    // Cookie: name.
    'cookie-name-is-key': eachCookie((one) => (one.name = one.key)),
    'cookie-name-lower-case': eachCookie((one) => (one.name = String(one.name).toLowerCase())),
    // Cookie: expiry.
    'cookie-expiry-lost': implied(eachCookie((one) => delete one.expiry)),
    'cookie-expiry-shifted': eachCookie(
      (one) => one.expiry && (one.expiry = new Date(Date.parse(String(one.expiry)) + 3_600_000).toISOString()),
    ),
    // Cookie: expiry date-time.
    'cookie-expiry-in-seconds': eachCookie((one) => one.expiry && (one.expiry = Date.parse(String(one.expiry)) / 1000)),
    // Cookie: expiry.
    'cookie-expiry-invented': implied(eachCookie((one) => (one.expiry ??= '2030-01-01T00:00:00Z'))),
    'cookie-expiry-null': implied(eachCookie((one) => (one.expiry ??= null))),
    // cookiesToAdd.
    'cookies-of-a-name-merged': after(
      (p) => (p.cookies = [...new Map(p.cookies.map((one) => [`${one.name}`, one])).values()]),
    ),
    'cookies-of-a-domain-merged': after(
      (p, before) =>
        (p.cookies = [
          ...before.cookies.filter((b) => p.cookies.some((x) => x.id === b.id)),
          ...new Map(
            p.cookies.filter((x) => !before.cookies.some((b) => b.id === x.id)).map((one) => [`${one.domain}`, one]),
          ).values(),
        ]),
    ),
    'cookies-of-expired-dropped': after(
      (p, _, c) =>
        (p.cookies = p.cookies.filter((one) => one.expiry === undefined || Date.parse(String(one.expiry)) > c.now)),
    ),
    'cookies-at-most-5': after((p) => (p.cookies = p.cookies.slice(0, 5))),
    // cookiesToDelete.
    'cookie-not-deleted': after(
      (p, before, c) =>
        c.body.cookiesToDelete &&
        (p.cookies = [...before.cookies, ...p.cookies.filter((one) => !before.cookies.some((b) => b.id === one.id))]),
    ),
    'cookies-first-deleted-only': after((p, before, c) => {
      const gone = c.body.cookiesToDelete;
      if (Array.isArray(gone) && gone.length > 1) p.cookies = before.cookies.filter((one) => one.id !== gone[0]);
    }),
    // cookiesToDelete: cookie ids to remove.
    'cookies-all-deleted': after(
      (p, _, c) => Array.isArray(c.body.cookiesToDelete) && c.body.cookiesToDelete.length > 0 && (p.cookies = []),
    ),
    'cookies-deleted-one-more': after(
      (p, _, c) => Array.isArray(c.body.cookiesToDelete) && c.body.cookiesToDelete.length > 0 && p.cookies.shift(),
    ),
    'cookies-empty-deletes-all': after(
      (p, _, c) => Array.isArray(c.body.cookiesToDelete) && c.body.cookiesToDelete.length === 0 && (p.cookies = []),
    ),
    // cookiesToAdd.
    'cookies-added-while-deleting-lost': after(
      (p, before, c) =>
        c.body.cookiesToDelete &&
        c.body.cookiesToAdd &&
        (p.cookies = p.cookies.filter((one) => before.cookies.some((b) => b.id === one.id))),
    ),
    // A cookie keeps its id.
    'cookie-ids-change': implied(
      view((v, p) =>
        listOf(v.cookies).forEach(
          (one, i) => (one.id = `0b9f1c3e-7a51-4f0e-9d3c-${String(p.updates * 100 + i).padStart(12, '0')}`),
        ),
      ),
    ),
    // Cookie: id, to delete it by.
    'cookies-without-id': implied(view((v) => listOf(v.cookies).forEach((one) => delete one.id))),
    // Cookie: createdAt date-time.
    'cookie-created-as-number': view((v) => listOf(v.cookies).forEach((one) => (one.createdAt = 1))),
    // Identifiers.
    'cookies-share-an-id': view((v) =>
      listOf(v.cookies).forEach((one) => (one.id = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9')),
    ),
    // credentialsToAdd.
    'credential-not-added': after((p, before, c) => c.body.credentialsToAdd && (p.credentials = before.credentials)),
    'credentials-first-only': after(
      (p, before, c) =>
        c.body.credentialsToAdd && (p.credentials = p.credentials.slice(0, before.credentials.length + 1)),
    ),
    'credentials-replaced': after(
      (p, before, c) =>
        listOf(c.body.credentialsToAdd).length > 0 && (p.credentials = p.credentials.slice(before.credentials.length)),
    ),
    // Credential: data.
    'credential-data-cut': eachCredential((one) => (one.data = String(one.data).slice(0, 20))),
    'credential-data-cut-at-255': eachCredential((one) => (one.data = String(one.data).slice(0, 255))),
    'credential-data-trimmed': eachCredential((one) => (one.data = String(one.data).trim())),
    'credential-data-ascii': eachCredential((one) => (one.data = String(one.data).replaceAll(/[^\u0020-\u007e]/g, ''))),
    'credential-data-of-the-first': after((p) => p.credentials.forEach((one) => (one.data = p.credentials[0]?.data))),
    // Credential: name.
    'credential-name-lower-case': eachCredential((one) => (one.name = String(one.name).toLowerCase())),
    'credential-name-trimmed': eachCredential((one) => (one.name = String(one.name).trim())),
    'credential-name-ascii': eachCredential((one) => (one.name = String(one.name).replaceAll(/[^\u0020-\u007e]/g, ''))),
    // credentialsToDelete.
    'credential-not-deleted': after(
      (p, before, c) =>
        c.body.credentialsToDelete &&
        (p.credentials = [
          ...before.credentials,
          ...p.credentials.filter((one) => !before.credentials.some((b) => b.id === one.id)),
        ]),
    ),
    'credentials-all-deleted': after(
      (p, _, c) =>
        Array.isArray(c.body.credentialsToDelete) && c.body.credentialsToDelete.length > 0 && (p.credentials = []),
    ),
    'credentials-last-not-deleted': after((p, before, c) => {
      const gone = c.body.credentialsToDelete;
      if (Array.isArray(gone) && gone.length > 1)
        p.credentials.push(...before.credentials.filter((one) => one.id === gone.at(-1)));
    }),
    // credentialsToUpdate.
    'credential-not-updated': { reads: ({ credentialsToUpdate: _, ...rest }) => rest },
    // Matched by name, case-insensitively.
    'credential-updated-in-case-only': {
      reads: (body, c) =>
        listOf(body.credentialsToUpdate).some(
          ({ name }) => !c.state.profiles.get(c.id.toLowerCase())?.credentials.some((one) => one.name === name),
        )
          ? (({ credentialsToUpdate: _, ...rest }) => rest)(body)
          : body,
    },
    // Matched by name.
    'credential-update-renames': after((p, _, c) =>
      listOf(c.body.credentialsToUpdate).forEach(({ name }) =>
        p.credentials.forEach(
          (one) => String(one.name).toLowerCase() === String(name).toLowerCase() && (one.name = name),
        ),
      ),
    ),
    // Matched by name, case-insensitively.
    'credential-update-adds': after((p, _, c) =>
      listOf(c.body.credentialsToUpdate).forEach((one) =>
        p.credentials.push({ ...one, id: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9' }),
      ),
    ),
    // Matched by name.
    'credential-update-of-all': after((p, _, c) =>
      listOf(c.body.credentialsToUpdate).forEach(({ data }) => p.credentials.forEach((one) => (one.data = data))),
    ),
    // credentialsToUpdate.
    'credential-update-first-only': after((p, before, c) => {
      const [, ...more] = listOf(c.body.credentialsToUpdate);
      for (const { name } of more)
        for (const one of p.credentials)
          if (String(one.name).toLowerCase() === String(name).toLowerCase())
            one.data = before.credentials.find(({ id }) => id === one.id)?.data;
    }),
    // Matched by name.
    'credential-update-by-prefix': after((p, _, c) =>
      listOf(c.body.credentialsToUpdate).forEach(({ name, data }) =>
        p.credentials.forEach(
          (one) => String(one.name).toLowerCase().startsWith(String(name).toLowerCase()) && (one.data = data),
        ),
      ),
    ),
    // A credential keeps its id.
    'credential-update-changes-id': implied(
      after((p, _, c) =>
        listOf(c.body.credentialsToUpdate).forEach(({ name }) =>
          p.credentials.forEach(
            (one, i) =>
              String(one.name).toLowerCase() === String(name).toLowerCase() &&
              (one.id = `0b9f1c3e-7a51-4f0e-9d3c-${String(i).padStart(12, '0')}`),
          ),
        ),
      ),
    ),
    'credential-ids-change': implied(
      view((v, p) =>
        listOf(v.credentials).forEach(
          (one, i) => (one.id = `0b9f1c3e-7a51-4f0e-9d3c-${String(p.updates * 100 + i).padStart(12, '0')}`),
        ),
      ),
    ),
    // Credential: data required.
    'credentials-without-data': view((v) => listOf(v.credentials).forEach((one) => delete one.data)),
    // Credential: data string.
    'credentials-data-null': view((v) => listOf(v.credentials).forEach((one) => (one.data = null))),
    // cookies: array.
    'cookies-as-null-when-empty': view((v) => listOf(v.cookies).length === 0 && (v.cookies = null)),
  }),
];

export const copyFaults: readonly Fault[] = [
  ...faultsOf({
    // Duplicates a profile with all settings, credentials and cookies.
    'copy-without-cookies': copies((c) => (c.cookies = [])),
    'copy-without-credentials': copies((c) => (c.credentials = [])),
    'copy-last-cookie-lost': copies((c) => c.cookies.pop()),
    'copy-first-credential-lost': copies((c) => c.credentials.shift()),
    'copy-cookies-without-value': copies((c) => c.cookies.forEach((one) => (one.value = ''))),
    'copy-cookies-without-expiry': copies((c) => c.cookies.forEach((one) => delete one.expiry)),
    'copy-cookies-flags-lost': copies((c) =>
      c.cookies.forEach((one) => Object.assign(one, { httpOnly: false, secure: false })),
    ),
    'copy-credentials-without-data': copies((c) => c.credentials.forEach((one) => (one.data = ''))),
    'copy-credential-names-lower-case': copies((c) =>
      c.credentials.forEach((one) => (one.name = String(one.name).toLowerCase())),
    ),
    'copy-elsewhere-without-cookies': copies((c, s) => c.organizationId !== s.organizationId && (c.cookies = [])),
    'copy-elsewhere-without-credentials': copies(
      (c, s) => c.organizationId !== s.organizationId && (c.credentials = []),
    ),
    'copy-elsewhere-without-extensions': copies(
      (c, s) => c.organizationId !== s.organizationId && (c.settings.extensionIds = []),
    ),
    'copy-elsewhere-without-description': copies(
      (c, s) => c.organizationId !== s.organizationId && (c.settings.description = ''),
    ),
    'copy-elsewhere-flags-reset': copies(
      (c, s) => c.organizationId !== s.organizationId && flags.forEach((f) => void (c.settings[f] = false)),
    ),
    'copy-of-copy-without-cookies': copies((c, s) => s.copyOf && (c.cookies = [])),
    'copy-without-description': copies((c) => (c.settings.description = '')),
    'copy-without-extensions': copies((c) => (c.settings.extensionIds = [])),
  }),
  ...['adblockActive', 'extraStealth', 'captchaSolverActive', 'stickyIP', 'popupBlockerActive', 'pdfViewerActive'].map(
    (flag) =>
      must(
        `copy-resets-${flag}`,
        copies((c) => (c.settings[flag] = false)),
      ),
  ),
  ...faultsOf({
    'copy-without-proxy-type': copies((c) => delete c.settings.proxyType),
    'copy-without-custom-proxy': copies((c) => delete c.settings.customProxy),
    'copy-without-custom-proxy-user': copies(
      (c) => c.settings.customProxy && (c.settings.customProxy = { server: fieldsOf(c.settings.customProxy).server }),
    ),
    'copy-without-proxy-mode': copies((c) => delete c.settings.proxyMode),
    'copy-without-system': copies((c) => delete c.settings.operatingSystem),
    'copy-of-another-country': copies((c) => (c.settings.proxyCountry = 'us')),
    'copy-without-gateway': copies((c) => delete c.settings.proxyGatewayPresetId),
    // Response: the new Agent profile.
    'copy-is-the-source': view((v, p) => p.copyOf && (v.id = p.copyOf)),
    // organizationId: the target organization.
    'copy-ignores-organization': copies((c, s) => (c.organizationId = s.organizationId)),
    // Defaults to the source profile's organization.
    'copy-goes-elsewhere': copies(
      (c, _, call) => call.body.organizationId === undefined && (c.organizationId = call.state.otherOrganization),
    ),
    // name: unique within the organization.
    'copy-has-the-name': copies((c, s) => (c.settings.name = s.settings.name)),
    'copies-share-a-name': copies((c, s) => (c.settings.name = `${String(s.settings.name).slice(0, 200)} (copy)`)),
    // A newly created resource.
    'copy-created-as-source': implied(
      view(
        (v, p, c) => p.copyOf && (v.createdAt = new Date(c.state.profiles.get(p.copyOf)?.createdAt ?? 0).toISOString()),
      ),
    ),
    // Copy and source do not change with each other.
    'copy-cookies-are-the-sources': implied(copies((c, s) => (c.cookies = s.cookies))),
    'copy-settings-are-the-sources': implied(copies((c, s) => (c.settings = s.settings))),
    'copy-empties-source': implied(copies((_, s) => (s.cookies = []))),
    'copy-renames-source': implied(copies((_, s) => (s.settings.name = `${String(s.settings.name)} (1)`))),
    // The new profile can be updated.
    'copy-not-there': implied({ copies: (c, _, call) => queueMicrotask(() => call.state.profiles.delete(c.id)) }),
    // Optional body.
    'copy-body-required': refusing(
      400,
      'No body.',
      (c, a) => c.operation === 'duplicateProfile' && !c.hasBody && a.status < 300,
    ),
    // organizationId defaults.
    'copy-organization-required': refusing(
      400,
      'Where to?',
      (c, a) => c.operation === 'duplicateProfile' && c.body.organizationId === undefined && a.status < 300,
    ),
    // An organization that does not exist is refused.
    'copy-into-unknown-organization': implied(lenient('unknown-organization')),
    // Response: the new Agent profile.
    'copy-answers-an-id': {
      answers: (a, c) => c.operation === 'duplicateProfile' && a.status < 300 && (a.body = { id: fieldsOf(a.body).id }),
    },
    // inboxEmail: required.
    'copy-without-inbox': view((v, p) => p.copyOf && delete v.inboxEmail),
    // Duplicates a profile with all settings, credentials and cookies.
    'copy-lists-joined': copies((c) => (c.cookies = c.cookies.slice(0, 1))),
    'copy-cookies-doubled': copies((c) => c.cookies.push(...copyOf(c.cookies))),
    'copy-with-prefix-of-source-lost': copies((c) => delete c.settings.inboxEmailPrefix),
  }),
];

const poolStatus = (call: Call) => call.operation === 'deletePool';
export const poolFaults: readonly Fault[] = [
  ...faultsOf({
    // Deletes an agent profile pool.
    'pool-stays': { deletes: () => false },
    'pool-stays-for-starts': () => {
      const seen = new Set<string>();
      return {
        deletes: () => false,
        answers: (a, c) => {
          if (!poolStatus(c) || a.status >= 300) return;
          if (seen.has(c.id)) Object.assign(a, { status: 404, body: { code: 404, message: 'Gone.' } });
          seen.add(c.id);
        },
      };
    },
    // A deleted pool is not found again.
    'pool-again-succeeds': implied({
      answers: (a, c) => poolStatus(c) && a.status === 404 && Object.assign(a, { status: 204, body: undefined }),
    }),
    // {poolId} is a uuid.
    'pool-of-no-uuid-succeeds': implied({
      answers: (a, c) => poolStatus(c) && a.status === 400 && Object.assign(a, { status: 204, body: undefined }),
    }),
    // Deletes an agent profile pool.
    'pool-deletion-fails': refusing(400, 'In use.', (c, a) => poolStatus(c) && a.status < 300),
  }),
];
