import { flags } from '../checks.js';
import type { Fault, Hooks } from '../hooks.js';
import { type Call, copyOf, type Fields, fieldsOf, listOf, type Profile } from '../state.js';
import { cutAt, everyNth, must, should } from './make.js';

const set = 'What is sent is set.';
const partial = 'What is not sent does not change.';
const allCopied = 'Duplicates a profile with all settings, credentials and cookies.';
const after = (change: (p: Profile, before: Profile, call: Call) => void): Partial<Hooks> => ({ updates: change });
const keeps = (field: string, which: (p: Profile, call: Call) => boolean = () => true) =>
  after((p, before, c) => void (which(p, c) && (p.settings[field] = before.settings[field])));
const alters = (field: string, change: (text: string) => string) =>
  after((p, _, c) => {
    const sent = c.body[field];
    if (typeof sent === 'string') p.settings[field] = change(sent);
  });
const view = (change: (v: Fields, p: Profile, c: Call) => void): Partial<Hooks> => ({ profile: change });
const copies = (change: (copy: Profile, source: Profile, call: Call) => void): Partial<Hooks> => ({ copies: change });
const patch = (call: Call) => call.operation === 'updateProfile';
const lets = (problem: string, field?: string, only: (call: Call) => boolean = () => true): Partial<Hooks> => ({
  refuses: (p, c, f) => !(p === problem && (field === undefined || f === field) && only(c)),
});
const rejects = (when: (call: Call) => boolean, status = 400): Partial<Hooks> => ({
  // The update is taken back, so that only the refusal is at fault.
  updates: (p, before, c) => void (when(c) && Object.assign(p, copyOf(before))),
  answers: (a, c) =>
    void (
      patch(c) &&
      when(c) &&
      a.status < 300 &&
      Object.assign(a, { status, body: { code: status, message: 'Not this one.' } })
    ),
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
  updates: (p, before, c) => void (p.updates >= n && hooks.updates?.(p, before, c)),
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
  ...requiredFields.map((field) =>
    must(
      `profile-without-${field}`,
      'Required field of a profile.',
      view((v) => delete v[field]),
    ),
  ),
  must(
    'copy-answer-without-cookies',
    'Required field of a profile.',
    view((v, p) => void (p.copyOf && delete v.cookies)),
  ),
  ...flags
    .filter((f) => !['captchaSolverActive', 'tracingEnabled'].includes(f))
    .map((flag) => must(`${flag}-not-set`, set, keeps(flag))),
  ...['adblockActive', 'pdfViewerActive', 'cachePersistence'].map((flag) =>
    must(
      `${flag}-never-cleared`,
      set,
      keeps(flag, (_, c) => c.body[flag] === false),
    ),
  ),
  ...['extraStealth', 'mediaBlockerActive'].map((flag) => must(`${flag}-once-only`, set, nth(3, keeps(flag)))),
  must(
    'flags-swapped',
    set,
    after((p, _, c) => {
      if (c.body.allow3rdCookies !== undefined && c.body.cachePersistence === undefined)
        p.settings.cachePersistence = c.body.allow3rdCookies;
    }),
  ),
  should(
    'flags-cleared-by-others',
    partial,
    after((p, before, c) => {
      if (c.body.name !== undefined && c.body.extraStealth === undefined && before.settings.extraStealth)
        p.settings.extraStealth = false;
    }),
  ),
  should(
    'description-cleared-by-others',
    partial,
    after((p, _, c) => void (c.body.description === undefined && (p.settings.description = ''))),
  ),
  should(
    'extensions-cleared-by-others',
    partial,
    after((p, _, c) => void (c.body.extensionIds === undefined && (p.settings.extensionIds = []))),
  ),
  should(
    'prefix-cleared-by-others',
    partial,
    after((p, _, c) => void (c.body.inboxEmailPrefix === undefined && delete p.settings.inboxEmailPrefix)),
  ),
  should(
    'cookies-cleared-by-others',
    partial,
    after(
      (p, _, c) =>
        void (
          c.body.cookiesToAdd === undefined &&
          c.body.credentialsToAdd === undefined &&
          c.body.name !== undefined &&
          (p.cookies = [])
        ),
    ),
  ),
  should(
    'credentials-cleared-by-cookies',
    partial,
    after(
      (p, _, c) =>
        void (c.body.cookiesToAdd !== undefined && c.body.credentialsToAdd === undefined && (p.credentials = [])),
    ),
  ),
  should(
    'proxy-type-cleared-by-others',
    partial,
    after((p, _, c) => void (c.body.proxyType === undefined && delete p.settings.proxyType)),
  ),
  should(
    'custom-proxy-cleared-by-others',
    partial,
    after((p) => void delete p.settings.customProxy),
  ),
  should(
    'proxy-mode-cleared-by-others',
    partial,
    after((p) => void delete p.settings.proxyMode),
  ),
  should(
    'sticky-set-by-others',
    partial,
    after((p) => void (p.settings.stickyIP = true)),
  ),
  must('name-not-set', set, keeps('name')),
  must('description-not-set', set, keeps('description')),
  must(
    'description-empty-not-set',
    set,
    keeps('description', (_, c) => c.body.description === ''),
  ),
  must('description-second-not-set', set, nth(3, keeps('description'))),
  must('extensions-not-set', set, keeps('extensionIds')),
  must(
    'extensions-empty-not-set',
    set,
    keeps('extensionIds', (_, c) => Array.isArray(c.body.extensionIds) && c.body.extensionIds.length === 0),
  ),
  must(
    'extensions-added',
    set,
    after(
      (p, before, c) =>
        void (
          c.body.extensionIds &&
          (p.settings.extensionIds = [
            ...new Set([...(before.settings.extensionIds as string[]), ...(c.body.extensionIds as string[])]),
          ])
        ),
    ),
  ),
  must(
    'extensions-first-only',
    set,
    after(
      (p, _, c) =>
        void (c.body.extensionIds && (p.settings.extensionIds = (c.body.extensionIds as string[]).slice(0, 1))),
    ),
  ),
  must(
    'prefix-not-used',
    'Inbox becomes prefix@domain.',
    view((v, p) => void (v.inboxEmail = `${p.id.slice(0, 8)}@inbox.example.com`)),
  ),
  must(
    'prefix-in-capitals',
    'Inbox becomes prefix@domain.',
    view((v) => void (v.inboxEmail = String(v.inboxEmail).toUpperCase())),
  ),
  must(
    'prefix-plus-number',
    'Inbox becomes prefix@domain.',
    view((v, p) => void (p.settings.inboxEmailPrefix && (v.inboxEmail = String(v.inboxEmail).replace('@', '1@')))),
  ),
  must(
    'prefix-default-of-12',
    'The prefix defaults to the first 8 characters of the profile id.',
    view((v, p) => void (!p.settings.inboxEmailPrefix && (v.inboxEmail = `${p.id.slice(0, 13)}@inbox.example.com`))),
  ),
  must(
    'prefix-default-of-name',
    'The prefix defaults to the first 8 characters of the profile id.',
    view((v, p) => void (!p.settings.inboxEmailPrefix && (v.inboxEmail = 'profile@inbox.example.com'))),
  ),
  must(
    'prefix-default-of-copy-is-source',
    'The prefix defaults to the first 8 characters of the profile id.',
    view(
      (v, p) =>
        void (p.copyOf && !p.settings.inboxEmailPrefix && (v.inboxEmail = `${p.copyOf.slice(0, 8)}@inbox.example.com`)),
    ),
  ),
  must(
    'inbox-without-at',
    'prefix@domain.',
    view((v) => void (v.inboxEmail = String(v.inboxEmail).split('@')[0])),
  ),
  must(
    'gateway-preset-not-set',
    'proxyGatewayPresetId: uuid.',
    after((p) => void delete p.settings.proxyGatewayPresetId),
  ),
  must(
    'name-trimmed',
    set,
    alters('name', (t) => t.trim()),
  ),
  must(
    'name-ascii-only',
    set,
    alters('name', (t) => t.replaceAll(/[^\u0020-\u007e]/g, '?')),
  ),
  must(
    'name-basic-plane-only',
    set,
    alters('name', (t) => t.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
  ),
  must(
    'name-normalised',
    set,
    alters('name', (t) => t.normalize('NFC')),
  ),
  must(
    'name-escaped',
    set,
    alters('name', (t) => t.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  ),
  must(
    'name-quotes-lost',
    set,
    alters('name', (t) => t.replaceAll(/["']/g, '')),
  ),
  must(
    'name-slugged',
    set,
    alters('name', (t) => t.replaceAll(/[^A-Za-z0-9-]/g, '-')),
  ),
  must('name-cut-at-64', set, alters('name', cutAt(64))),
  must('name-cut-at-128', set, alters('name', cutAt(128))),
  must('name-cut-at-254', set, alters('name', cutAt(254))),
  must(
    'name-255-refused',
    'name: length 1 to 255.',
    rejects((c) => lengthOf(c, 'name') === 255),
  ),
  must(
    'name-over-200-refused',
    'name: length 1 to 255.',
    rejects((c) => lengthOf(c, 'name') > 200),
  ),
  must(
    'name-255-bytes',
    'name: length 1 to 255.',
    rejects((c) => new TextEncoder().encode(String(c.body.name ?? '')).length > 255 && lengthOf(c, 'name') <= 255),
  ),
  must(
    'name-1-refused',
    'name: length 1 to 255.',
    rejects((c) => lengthOf(c, 'name') === 1),
  ),
  must(
    'name-of-2-refused',
    'name: length 1 to 255.',
    rejects((c) => c.body.name !== undefined && lengthOf(c, 'name') < 3),
  ),
  must('name-empty-set', 'name: length 1 to 255.', lets('out-of-bounds', 'name-empty')),
  must(
    'name-256-set',
    'name: length 1 to 255.',
    lets('out-of-bounds', 'name', (c) => lengthOf(c, 'name') === 256),
  ),
  must('name-long-set', 'name: length 1 to 255.', lets('out-of-bounds', 'name')),
  must('name-256-cut', 'name: length 1 to 255.', { ...lets('out-of-bounds', 'name'), ...alters('name', cutAt(255)) }),
  must(
    'description-1000-refused',
    'description: maximum length 1000.',
    rejects((c) => lengthOf(c, 'description') === 1000),
  ),
  must(
    'description-1000-bytes',
    'description: maximum length 1000.',
    rejects(
      (c) =>
        new TextEncoder().encode(String(c.body.description ?? '')).length > 1000 && lengthOf(c, 'description') <= 1000,
    ),
  ),
  must(
    'description-empty-refused',
    'description: maximum length 1000.',
    rejects((c) => c.body.description === ''),
  ),
  must(
    'description-1001-set',
    'description: maximum length 1000.',
    lets('out-of-bounds', 'description', (c) => lengthOf(c, 'description') === 1001),
  ),
  must('description-long-set', 'description: maximum length 1000.', lets('out-of-bounds', 'description')),
  must('description-cut-at-255', set, alters('description', cutAt(255))),
  must('description-cut-at-500', set, alters('description', cutAt(500))),
  must(
    'description-trimmed',
    set,
    alters('description', (t) => t.trim()),
  ),
  must(
    'description-line-ends-lost',
    set,
    alters('description', (t) => t.replaceAll(/[\r\n]+/g, ' ')),
  ),
  must(
    'description-escaped',
    set,
    alters('description', (t) => t.replaceAll('<', '&lt;')),
  ),
  must(
    'description-ascii-only',
    set,
    alters('description', (t) => t.replaceAll(/[^\u0009-\u007e]/g, '')),
  ),
  must(
    'description-basic-plane-only',
    set,
    alters('description', (t) => t.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
  ),
  must('name-of-another-set', 'name: unique within the organization.', lets('name-taken', 'name')),
  must('popup-without-adblock-set', 'popupBlockerActive requires adblock to be active.', lets('popup', 'popup')),
  must('adblock-cleared-under-popup', 'popupBlockerActive requires adblock to be active.', lets('popup', 'adblock')),
  should('refused-update-sets-name', 'A refused update changes nothing.', {
    refused: (p, c) =>
      void (
        typeof c.body.name === 'string' &&
        lengthOf(c, 'name') < 200 &&
        c.body.name !== '' &&
        (p.settings.name = c.body.name)
      ),
  }),
  should('refused-update-sets-description', 'A refused update changes nothing.', {
    refused: (p, c) => void (typeof c.body.description === 'string' && (p.settings.description = c.body.description)),
  }),
  should('refused-update-sets-flags', 'A refused update changes nothing.', {
    refused: (p, c) =>
      flags.forEach((f) => typeof c.body[f] === 'boolean' && f !== 'popupBlockerActive' && (p.settings[f] = c.body[f])),
  }),
  should('refused-update-deletes-cookies', 'A refused update changes nothing.', {
    refused: (p, c) =>
      void (
        Array.isArray(c.body.cookiesToDelete) &&
        (p.cookies = p.cookies.filter((one) => !(c.body.cookiesToDelete as unknown[]).includes(one.id)))
      ),
  }),
  should('refused-update-adds-cookies', 'A refused update changes nothing.', {
    refused: (p, c) =>
      void p.cookies.push(
        ...listOf(c.body.cookiesToAdd).map((one, i) => ({
          ...one,
          id: `0b9f1c3e-7a51-4f0e-9d3c-${String(i).padStart(12, '0')}`,
        })),
      ),
  }),
  should('refused-update-touches', 'A refused update changes nothing.', {
    refused: (p, c) => void (p.updatedAt = c.now),
  }),
  should(
    'update-changes-created',
    'createdAt stays.',
    view((v, p, c) => void (patch(c) && (v.createdAt = v.updatedAt ?? p.createdAt))),
  ),
  should(
    'update-does-not-touch',
    'updatedAt.',
    after((p, before) => void (p.updatedAt = before.updatedAt)),
  ),
  should(
    'update-touches-backwards',
    'updatedAt does not go back.',
    after((p, before) => void (p.updatedAt = before.updatedAt - 1000)),
  ),
  must(
    'update-of-another-id',
    'Response 200: Agent profile.',
    view((v, _, c) => void (patch(c) && (v.id = '33000000-0000-4000-8000-000000000002'))),
  ),
  should(
    'update-moves-organization',
    'organizationId stays.',
    after((p, _, c) => void (p.organizationId = c.state.otherOrganization)),
  ),
  must('update-201', 'Response 200.', { answers: (a, c) => void (patch(c) && a.status === 200 && (a.status = 201)) }),
  must('update-204', 'Response 200: Agent profile.', {
    answers: (a, c) => {
      if (patch(c) && a.status === 200) {
        a.status = 204;
        delete a.body;
      }
    },
  }),
  must('update-shows-before', 'Response 200: Agent profile.', () => {
    const before = new Map<string, Fields>();
    return view((v, p, c) => {
      const own = copyOf(v);
      if (patch(c)) Object.assign(v, before.get(p.id));
      before.set(p.id, own);
    });
  }),
  must('update-lost-at-times', set, () => {
    const now = everyNth(5);
    return after(
      (p, before, c) =>
        void (c.body.description !== undefined && now() && (p.settings.description = before.settings.description)),
    );
  }),
  must('update-forgotten-after', set, () => {
    const shown = new Map<string, string>();
    return {
      ...view((v, p, c) => {
        if (c.body.description !== undefined) shown.set(p.id, String(v.description));
      }),
      updates: (p, before, c) =>
        void (
          c.body.description === undefined &&
          shown.has(p.id) &&
          p.settings.description === before.settings.description &&
          (p.settings.description = 'For the shop')
        ),
    };
  }),
  must(
    'password-shown',
    'password is excluded.',
    view(
      (v, p) => void (v.customProxy && (v.customProxy = { ...fieldsOf(p.settings.customProxy), password: 'secret' })),
    ),
  ),
  must(
    'proxy-type-unknown',
    'allowed value basic.',
    view((v) => void (v.proxyType && (v.proxyType = 'premium'))),
  ),
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
  ].map((name) =>
    should(`wrong-type-of-${name}-set`, 'The field has the type of the table.', lets('wrong-type', name)),
  ),
];

export const setFaults: readonly Fault[] = [
  must(
    'cookie-not-added',
    'cookiesToAdd.',
    after((p, before, c) => void (c.body.cookiesToAdd && (p.cookies = before.cookies))),
  ),
  must(
    'cookies-first-only',
    'cookiesToAdd.',
    after((p, before, c) => void (c.body.cookiesToAdd && (p.cookies = p.cookies.slice(0, before.cookies.length + 1)))),
  ),
  must(
    'cookies-replaced',
    'cookiesToAdd.',
    after(
      (p, before, c) =>
        void (listOf(c.body.cookiesToAdd).length > 0 && (p.cookies = p.cookies.slice(before.cookies.length))),
    ),
  ),
  must(
    'cookie-added-twice',
    'cookiesToAdd.',
    after(
      (p, before, c) =>
        void (
          c.body.cookiesToAdd &&
          p.cookies.push(
            ...p.cookies
              .slice(before.cookies.length)
              .map((one) => ({ ...one, id: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9' })),
          )
        ),
    ),
  ),
  must(
    'cookie-value-lost',
    'Cookie: value.',
    eachCookie((one) => void (one.value = '')),
  ),
  must(
    'cookie-value-trimmed',
    'Cookie: value.',
    eachCookie((one) => void (one.value = String(one.value).trim())),
  ),
  must(
    'cookie-value-decoded',
    'Cookie: value.',
    eachCookie((one) => void (one.value = String(one.value).replaceAll(/%[0-9a-f]{2}/gi, ''))),
  ),
  must(
    'cookie-value-semicolon',
    'Cookie: value.',
    eachCookie((one) => void (one.value = String(one.value).split(';')[0])),
  ),
  must(
    'cookie-value-after-equals',
    'Cookie: value.',
    eachCookie((one) => void (one.value = String(one.value).split('=')[0])),
  ),
  must(
    'cookie-value-unquoted',
    'Cookie: value.',
    eachCookie((one) => void (one.value = String(one.value).replaceAll('"', ''))),
  ),
  must(
    'cookie-value-ascii',
    'Cookie: value.',
    eachCookie((one) => void (one.value = String(one.value).replaceAll(/[^\u0020-\u007e]/g, ''))),
  ),
  must(
    'cookie-value-cut-at-255',
    'Cookie: value.',
    eachCookie((one) => void (one.value = String(one.value).slice(0, 255))),
  ),
  must(
    'cookie-value-cut-at-1000',
    'Cookie: value.',
    eachCookie((one) => void (one.value = String(one.value).slice(0, 1000))),
  ),
  must(
    'cookie-value-cut-at-4096',
    'Cookie: value.',
    eachCookie((one) => void (one.value = String(one.value).slice(0, 4000))),
  ),
  must(
    'cookie-domain-without-dot',
    'Cookie: domain.',
    eachCookie((one) => void (one.domain = String(one.domain).replace(/^\./, ''))),
  ),
  must(
    'cookie-domain-with-dot',
    'Cookie: domain.',
    eachCookie((one) => void (one.domain = `.${String(one.domain).replace(/^\./, '')}`)),
  ),
  must(
    'cookie-domain-lower-case',
    'Cookie: domain.',
    eachCookie((one) => void (one.domain = String(one.domain).toLowerCase())),
  ),
  must(
    'cookie-http-only-always',
    'Cookie: httpOnly.',
    eachCookie((one) => void (one.httpOnly = true)),
  ),
  must(
    'cookie-http-only-never',
    'Cookie: httpOnly.',
    eachCookie((one) => void (one.httpOnly = false)),
  ),
  must(
    'cookie-secure-always',
    'Cookie: secure.',
    eachCookie((one) => void (one.secure = true)),
  ),
  must(
    'cookie-secure-never',
    'Cookie: secure.',
    eachCookie((one) => void (one.secure = false)),
  ),
  must(
    'cookie-flags-swapped',
    'Cookie: httpOnly, secure.',
    eachCookie((one) => void ([one.secure, one.httpOnly] = [one.httpOnly, one.secure])),
  ),
  must(
    'cookie-key-is-name',
    'Cookie: key.',
    eachCookie((one) => void (one.key = one.name)),
  ),
  must(
    'cookie-name-is-key',
    'Cookie: name.',
    eachCookie((one) => void (one.name = one.key)),
  ),
  must(
    'cookie-name-lower-case',
    'Cookie: name.',
    eachCookie((one) => void (one.name = String(one.name).toLowerCase())),
  ),
  should(
    'cookie-expiry-lost',
    'Cookie: expiry.',
    eachCookie((one) => delete one.expiry),
  ),
  must(
    'cookie-expiry-shifted',
    'Cookie: expiry.',
    eachCookie(
      (one) => void (one.expiry && (one.expiry = new Date(Date.parse(String(one.expiry)) + 3_600_000).toISOString())),
    ),
  ),
  must(
    'cookie-expiry-in-seconds',
    'Cookie: expiry date-time.',
    eachCookie((one) => void (one.expiry && (one.expiry = Date.parse(String(one.expiry)) / 1000))),
  ),
  should(
    'cookie-expiry-invented',
    'Cookie: expiry.',
    eachCookie((one) => void (one.expiry ??= '2030-01-01T00:00:00Z')),
  ),
  should(
    'cookie-expiry-null',
    'Cookie: expiry.',
    eachCookie((one) => void (one.expiry ??= null)),
  ),
  must(
    'cookies-of-a-name-merged',
    'cookiesToAdd.',
    after((p) => void (p.cookies = [...new Map(p.cookies.map((one) => [`${one.name}`, one])).values()])),
  ),
  must(
    'cookies-of-a-domain-merged',
    'cookiesToAdd.',
    after(
      (p, before) =>
        void (p.cookies = [
          ...before.cookies.filter((b) => p.cookies.some((x) => x.id === b.id)),
          ...new Map(
            p.cookies.filter((x) => !before.cookies.some((b) => b.id === x.id)).map((one) => [`${one.domain}`, one]),
          ).values(),
        ]),
    ),
  ),
  must(
    'cookies-of-expired-dropped',
    'cookiesToAdd.',
    after(
      (p, _, c) =>
        void (p.cookies = p.cookies.filter(
          (one) => one.expiry === undefined || Date.parse(String(one.expiry)) > c.now,
        )),
    ),
  ),
  must(
    'cookies-at-most-5',
    'cookiesToAdd.',
    after((p) => void (p.cookies = p.cookies.slice(0, 5))),
  ),
  must(
    'cookie-not-deleted',
    'cookiesToDelete.',
    after(
      (p, before, c) =>
        void (
          c.body.cookiesToDelete &&
          (p.cookies = [...before.cookies, ...p.cookies.filter((one) => !before.cookies.some((b) => b.id === one.id))])
        ),
    ),
  ),
  must(
    'cookies-first-deleted-only',
    'cookiesToDelete.',
    after((p, before, c) => {
      const gone = c.body.cookiesToDelete;
      if (Array.isArray(gone) && gone.length > 1) p.cookies = before.cookies.filter((one) => one.id !== gone[0]);
    }),
  ),
  must(
    'cookies-all-deleted',
    'cookiesToDelete: cookie ids to remove.',
    after(
      (p, _, c) =>
        void (Array.isArray(c.body.cookiesToDelete) && c.body.cookiesToDelete.length > 0 && (p.cookies = [])),
    ),
  ),
  must(
    'cookies-deleted-one-more',
    'cookiesToDelete: cookie ids to remove.',
    after(
      (p, _, c) =>
        void (Array.isArray(c.body.cookiesToDelete) && c.body.cookiesToDelete.length > 0 && p.cookies.shift()),
    ),
  ),
  must(
    'cookies-empty-deletes-all',
    'cookiesToDelete: cookie ids to remove.',
    after(
      (p, _, c) =>
        void (Array.isArray(c.body.cookiesToDelete) && c.body.cookiesToDelete.length === 0 && (p.cookies = [])),
    ),
  ),
  must(
    'cookies-added-while-deleting-lost',
    'cookiesToAdd.',
    after(
      (p, before, c) =>
        void (
          c.body.cookiesToDelete &&
          c.body.cookiesToAdd &&
          (p.cookies = p.cookies.filter((one) => before.cookies.some((b) => b.id === one.id)))
        ),
    ),
  ),
  should(
    'cookie-ids-change',
    'A cookie keeps its id.',
    view((v, p) =>
      listOf(v.cookies).forEach(
        (one, i) => void (one.id = `0b9f1c3e-7a51-4f0e-9d3c-${String(p.updates * 100 + i).padStart(12, '0')}`),
      ),
    ),
  ),
  should(
    'cookies-without-id',
    'Cookie: id, to delete it by.',
    view((v) => listOf(v.cookies).forEach((one) => delete one.id)),
  ),
  must(
    'cookie-created-as-number',
    'Cookie: createdAt date-time.',
    view((v) => listOf(v.cookies).forEach((one) => void (one.createdAt = 1))),
  ),
  must(
    'cookies-share-an-id',
    'Identifiers.',
    view((v) => listOf(v.cookies).forEach((one) => void (one.id = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9'))),
  ),
  must(
    'credential-not-added',
    'credentialsToAdd.',
    after((p, before, c) => void (c.body.credentialsToAdd && (p.credentials = before.credentials))),
  ),
  must(
    'credentials-first-only',
    'credentialsToAdd.',
    after(
      (p, before, c) =>
        void (c.body.credentialsToAdd && (p.credentials = p.credentials.slice(0, before.credentials.length + 1))),
    ),
  ),
  must(
    'credentials-replaced',
    'credentialsToAdd.',
    after(
      (p, before, c) =>
        void (
          listOf(c.body.credentialsToAdd).length > 0 && (p.credentials = p.credentials.slice(before.credentials.length))
        ),
    ),
  ),
  must(
    'credential-data-cut',
    'Credential: data.',
    eachCredential((one) => void (one.data = String(one.data).slice(0, 20))),
  ),
  must(
    'credential-data-cut-at-255',
    'Credential: data.',
    eachCredential((one) => void (one.data = String(one.data).slice(0, 255))),
  ),
  must(
    'credential-data-trimmed',
    'Credential: data.',
    eachCredential((one) => void (one.data = String(one.data).trim())),
  ),
  must(
    'credential-data-ascii',
    'Credential: data.',
    eachCredential((one) => void (one.data = String(one.data).replaceAll(/[^\u0020-\u007e]/g, ''))),
  ),
  must(
    'credential-data-of-the-first',
    'Credential: data.',
    after((p) => p.credentials.forEach((one) => void (one.data = p.credentials[0]?.data))),
  ),
  must(
    'credential-name-lower-case',
    'Credential: name.',
    eachCredential((one) => void (one.name = String(one.name).toLowerCase())),
  ),
  must(
    'credential-name-trimmed',
    'Credential: name.',
    eachCredential((one) => void (one.name = String(one.name).trim())),
  ),
  must(
    'credential-name-ascii',
    'Credential: name.',
    eachCredential((one) => void (one.name = String(one.name).replaceAll(/[^\u0020-\u007e]/g, ''))),
  ),
  must(
    'credential-not-deleted',
    'credentialsToDelete.',
    after(
      (p, before, c) =>
        void (
          c.body.credentialsToDelete &&
          (p.credentials = [
            ...before.credentials,
            ...p.credentials.filter((one) => !before.credentials.some((b) => b.id === one.id)),
          ])
        ),
    ),
  ),
  must(
    'credentials-all-deleted',
    'credentialsToDelete.',
    after(
      (p, _, c) =>
        void (
          Array.isArray(c.body.credentialsToDelete) &&
          c.body.credentialsToDelete.length > 0 &&
          (p.credentials = [])
        ),
    ),
  ),
  must(
    'credentials-last-not-deleted',
    'credentialsToDelete.',
    after((p, before, c) => {
      const gone = c.body.credentialsToDelete;
      if (Array.isArray(gone) && gone.length > 1)
        p.credentials.push(...before.credentials.filter((one) => one.id === gone.at(-1)));
    }),
  ),
  must('credential-not-updated', 'credentialsToUpdate.', { reads: ({ credentialsToUpdate: _, ...rest }) => rest }),
  must('credential-updated-in-case-only', 'Matched by name, case-insensitively.', {
    reads: (body, c) =>
      listOf(body.credentialsToUpdate).some(
        ({ name }) => !c.state.profiles.get(c.id.toLowerCase())?.credentials.some((one) => one.name === name),
      )
        ? (({ credentialsToUpdate: _, ...rest }) => rest)(body)
        : body,
  }),
  must(
    'credential-update-renames',
    'Matched by name.',
    after((p, _, c) =>
      listOf(c.body.credentialsToUpdate).forEach(({ name }) =>
        p.credentials.forEach(
          (one) => void (String(one.name).toLowerCase() === String(name).toLowerCase() && (one.name = name)),
        ),
      ),
    ),
  ),
  must(
    'credential-update-adds',
    'Matched by name, case-insensitively.',
    after((p, _, c) =>
      listOf(c.body.credentialsToUpdate).forEach(
        (one) => void p.credentials.push({ ...one, id: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9' }),
      ),
    ),
  ),
  must(
    'credential-update-of-all',
    'Matched by name.',
    after((p, _, c) =>
      listOf(c.body.credentialsToUpdate).forEach(({ data }) => p.credentials.forEach((one) => void (one.data = data))),
    ),
  ),
  must(
    'credential-update-first-only',
    'credentialsToUpdate.',
    after((p, before, c) => {
      const [, ...more] = listOf(c.body.credentialsToUpdate);
      for (const { name } of more)
        for (const one of p.credentials)
          if (String(one.name).toLowerCase() === String(name).toLowerCase())
            one.data = before.credentials.find(({ id }) => id === one.id)?.data;
    }),
  ),
  must(
    'credential-update-by-prefix',
    'Matched by name.',
    after((p, _, c) =>
      listOf(c.body.credentialsToUpdate).forEach(({ name, data }) =>
        p.credentials.forEach(
          (one) => void (String(one.name).toLowerCase().startsWith(String(name).toLowerCase()) && (one.data = data)),
        ),
      ),
    ),
  ),
  should(
    'credential-update-changes-id',
    'A credential keeps its id.',
    after((p, _, c) =>
      listOf(c.body.credentialsToUpdate).forEach(({ name }) =>
        p.credentials.forEach(
          (one, i) =>
            void (
              String(one.name).toLowerCase() === String(name).toLowerCase() &&
              (one.id = `0b9f1c3e-7a51-4f0e-9d3c-${String(i).padStart(12, '0')}`)
            ),
        ),
      ),
    ),
  ),
  should(
    'credential-ids-change',
    'A credential keeps its id.',
    view((v, p) =>
      listOf(v.credentials).forEach(
        (one, i) => void (one.id = `0b9f1c3e-7a51-4f0e-9d3c-${String(p.updates * 100 + i).padStart(12, '0')}`),
      ),
    ),
  ),
  must(
    'credentials-without-data',
    'Credential: data required.',
    view((v) => listOf(v.credentials).forEach((one) => delete one.data)),
  ),
  must(
    'credentials-data-null',
    'Credential: data string.',
    view((v) => listOf(v.credentials).forEach((one) => void (one.data = null))),
  ),
  must(
    'cookies-as-null-when-empty',
    'cookies: array.',
    view((v) => void (listOf(v.cookies).length === 0 && (v.cookies = null))),
  ),
];

export const copyFaults: readonly Fault[] = [
  must(
    'copy-without-cookies',
    allCopied,
    copies((c) => void (c.cookies = [])),
  ),
  must(
    'copy-without-credentials',
    allCopied,
    copies((c) => void (c.credentials = [])),
  ),
  must(
    'copy-last-cookie-lost',
    allCopied,
    copies((c) => void c.cookies.pop()),
  ),
  must(
    'copy-first-credential-lost',
    allCopied,
    copies((c) => void c.credentials.shift()),
  ),
  must(
    'copy-cookies-without-value',
    allCopied,
    copies((c) => c.cookies.forEach((one) => void (one.value = ''))),
  ),
  must(
    'copy-cookies-without-expiry',
    allCopied,
    copies((c) => c.cookies.forEach((one) => delete one.expiry)),
  ),
  must(
    'copy-cookies-flags-lost',
    allCopied,
    copies((c) => c.cookies.forEach((one) => void Object.assign(one, { httpOnly: false, secure: false }))),
  ),
  must(
    'copy-credentials-without-data',
    allCopied,
    copies((c) => c.credentials.forEach((one) => void (one.data = ''))),
  ),
  must(
    'copy-credential-names-lower-case',
    allCopied,
    copies((c) => c.credentials.forEach((one) => void (one.name = String(one.name).toLowerCase()))),
  ),
  must(
    'copy-elsewhere-without-cookies',
    allCopied,
    copies((c, s) => void (c.organizationId !== s.organizationId && (c.cookies = []))),
  ),
  must(
    'copy-elsewhere-without-credentials',
    allCopied,
    copies((c, s) => void (c.organizationId !== s.organizationId && (c.credentials = []))),
  ),
  must(
    'copy-elsewhere-without-extensions',
    allCopied,
    copies((c, s) => void (c.organizationId !== s.organizationId && (c.settings.extensionIds = []))),
  ),
  must(
    'copy-elsewhere-without-description',
    allCopied,
    copies((c, s) => void (c.organizationId !== s.organizationId && (c.settings.description = ''))),
  ),
  must(
    'copy-elsewhere-flags-reset',
    allCopied,
    copies(
      (c, s) => void (c.organizationId !== s.organizationId && flags.forEach((f) => void (c.settings[f] = false))),
    ),
  ),
  must(
    'copy-of-copy-without-cookies',
    allCopied,
    copies((c, s) => void (s.copyOf && (c.cookies = []))),
  ),
  must(
    'copy-without-description',
    allCopied,
    copies((c) => void (c.settings.description = '')),
  ),
  must(
    'copy-without-extensions',
    allCopied,
    copies((c) => void (c.settings.extensionIds = [])),
  ),
  ...['adblockActive', 'extraStealth', 'captchaSolverActive', 'stickyIP', 'popupBlockerActive', 'pdfViewerActive'].map(
    (flag) =>
      must(
        `copy-resets-${flag}`,
        allCopied,
        copies((c) => void (c.settings[flag] = false)),
      ),
  ),
  must(
    'copy-without-proxy-type',
    allCopied,
    copies((c) => delete c.settings.proxyType),
  ),
  must(
    'copy-without-custom-proxy',
    allCopied,
    copies((c) => delete c.settings.customProxy),
  ),
  must(
    'copy-without-custom-proxy-user',
    allCopied,
    copies(
      (c) =>
        void (c.settings.customProxy && (c.settings.customProxy = { server: fieldsOf(c.settings.customProxy).server })),
    ),
  ),
  must(
    'copy-without-proxy-mode',
    allCopied,
    copies((c) => delete c.settings.proxyMode),
  ),
  must(
    'copy-without-system',
    allCopied,
    copies((c) => delete c.settings.operatingSystem),
  ),
  must(
    'copy-of-another-country',
    allCopied,
    copies((c) => void (c.settings.proxyCountry = 'us')),
  ),
  must(
    'copy-without-gateway',
    allCopied,
    copies((c) => delete c.settings.proxyGatewayPresetId),
  ),
  must(
    'copy-is-the-source',
    'Response: the new Agent profile.',
    view((v, p) => void (p.copyOf && (v.id = p.copyOf))),
  ),
  must(
    'copy-ignores-organization',
    'organizationId: the target organization.',
    copies((c, s) => void (c.organizationId = s.organizationId)),
  ),
  must(
    'copy-goes-elsewhere',
    "Defaults to the source profile's organization.",
    copies(
      (c, _, call) =>
        void (call.body.organizationId === undefined && (c.organizationId = call.state.otherOrganization)),
    ),
  ),
  must(
    'copy-has-the-name',
    'name: unique within the organization.',
    copies((c, s) => void (c.settings.name = s.settings.name)),
  ),
  must(
    'copies-share-a-name',
    'name: unique within the organization.',
    copies((c, s) => void (c.settings.name = `${String(s.settings.name).slice(0, 200)} (copy)`)),
  ),
  should(
    'copy-created-as-source',
    'A newly created resource.',
    view(
      (v, p, c) =>
        void (p.copyOf && (v.createdAt = new Date(c.state.profiles.get(p.copyOf)?.createdAt ?? 0).toISOString())),
    ),
  ),
  should(
    'copy-cookies-are-the-sources',
    'Copy and source do not change with each other.',
    copies((c, s) => void (c.cookies = s.cookies)),
  ),
  should(
    'copy-settings-are-the-sources',
    'Copy and source do not change with each other.',
    copies((c, s) => void (c.settings = s.settings)),
  ),
  should(
    'copy-empties-source',
    'Copy and source do not change with each other.',
    copies((_, s) => void (s.cookies = [])),
  ),
  should(
    'copy-renames-source',
    'Copy and source do not change with each other.',
    copies((_, s) => void (s.settings.name = `${String(s.settings.name)} (1)`)),
  ),
  should('copy-not-there', 'The new profile can be updated.', {
    copies: (c, _, call) => void queueMicrotask(() => call.state.profiles.delete(c.id)),
  }),
  must('copy-body-required', 'Optional body.', {
    answers: (a, c) =>
      void (
        c.operation === 'duplicateProfile' &&
        !c.hasBody &&
        a.status < 300 &&
        Object.assign(a, { status: 400, body: { code: 400, message: 'No body.' } })
      ),
  }),
  must('copy-organization-required', 'organizationId defaults.', {
    answers: (a, c) =>
      void (
        c.operation === 'duplicateProfile' &&
        c.body.organizationId === undefined &&
        a.status < 300 &&
        Object.assign(a, { status: 400, body: { code: 400, message: 'Where to?' } })
      ),
  }),
  should('copy-into-unknown-organization', 'An organization that does not exist is refused.', {
    refuses: (p) => p !== 'unknown-organization',
  }),
  must('copy-answers-an-id', 'Response: the new Agent profile.', {
    answers: (a, c) =>
      void (c.operation === 'duplicateProfile' && a.status < 300 && (a.body = { id: fieldsOf(a.body).id })),
  }),
  must(
    'copy-without-inbox',
    'inboxEmail: required.',
    view((v, p) => void (p.copyOf && delete v.inboxEmail)),
  ),
  must(
    'copy-lists-joined',
    allCopied,
    copies((c) => void (c.cookies = c.cookies.slice(0, 1))),
  ),
  must(
    'copy-cookies-doubled',
    allCopied,
    copies((c) => void c.cookies.push(...copyOf(c.cookies))),
  ),
  must(
    'copy-with-prefix-of-source-lost',
    allCopied,
    copies((c) => delete c.settings.inboxEmailPrefix),
  ),
];

const poolStatus = (call: Call) => call.operation === 'deletePool';
export const poolFaults: readonly Fault[] = [
  must('pool-stays', 'Deletes an agent profile pool.', { deletes: () => false }),
  must('pool-stays-for-starts', 'Deletes an agent profile pool.', () => {
    const seen = new Set<string>();
    return {
      deletes: () => false,
      answers: (a, c) => {
        if (!poolStatus(c) || a.status >= 300) return;
        if (seen.has(c.id)) Object.assign(a, { status: 404, body: { code: 404, message: 'Gone.' } });
        seen.add(c.id);
      },
    };
  }),
  should('pool-again-succeeds', 'A deleted pool is not found again.', {
    answers: (a, c) => void (poolStatus(c) && a.status === 404 && Object.assign(a, { status: 204, body: undefined })),
  }),
  should('pool-of-no-uuid-succeeds', '{poolId} is a uuid.', {
    answers: (a, c) => void (poolStatus(c) && a.status === 400 && Object.assign(a, { status: 204, body: undefined })),
  }),
  must('pool-deletion-fails', 'Deletes an agent profile pool.', {
    answers: (a, c) =>
      void (
        poolStatus(c) &&
        a.status < 300 &&
        Object.assign(a, { status: 400, body: { code: 400, message: 'In use.' } })
      ),
  }),
];
