import { ids, type Sketch } from '../../../support/evidence.js';
import type { Tables } from '../../../support/judge-table.js';
import { baseline, cookie, duplicate, refusedUpdate, update } from '../../../support/profiles.js';
import { another, cut, organization, reading, recorded } from '../../../support/runs.js';

const changed = { description: 'Changed.' };
const unanswered: Sketch = { operation: 'updateProfile', sent: changed, mark: {}, ...cut };
const untyped = { probe: { rule: 'update-body-is-typed', fault: '', twins: [] } } as const;
const extensions = (...digits: string[]) => ({
  extensionIds: digits.map((digit) => `${digit.repeat(8)}-0000-4000-8000-00000000000a`),
});
const popups = (popupBlockerActive: boolean, adblockActive: boolean) => ({ popupBlockerActive, adblockActive });
const prefix = { inboxEmailPrefix: 'acme' };
const acme = { ...prefix, inboxEmail: 'acme@inbox.example.com' };
const customProxy = { customProxy: { server: 'proxy.example.com', username: 'acme' } };
const at = (second: string) => ({ updatedAt: `2026-03-03T12:00:${second}` });
const credential = { id: ids.pool, name: 'login', data: '****' };

const flags = [
  'adblockActive',
  'allow3rdCookies',
  'cachePersistence',
  'extraStealth',
  'forcePopupsAsTabsActive',
  'mediaBlockerActive',
  'pdfViewerActive',
] as const;
const preset = { proxyGatewayPresetId: ids.pool };
const proxies = [{ proxyType: 'basic' }, preset, customProxy];

export const profiles = {
  'update-applies': [
    ['kept', 'shown as sent', [baseline(), update(changed, changed)]],
    ['kept', 'shown as sent, in a recording', [recorded(update(changed, changed))]],
    ['kept', 'still there at the next update', [baseline(), update(changed, changed), update({}, changed)]],
    [
      'kept',
      'the same extensions in another order and case',
      [update(extensions('a', 'b'), { extensionIds: extensions('B', 'A').extensionIds.map((id) => id.toUpperCase()) })],
    ],
    ['kept', 'no extensions any more', [baseline(extensions('a')), update({ extensionIds: [] })]],
    ['kept', 'popup blocker and adblock together', [baseline(), update(popups(true, true), popups(true, true))]],
    [
      'kept',
      'the popup blocker off',
      [baseline(popups(true, true)), update({ popupBlockerActive: false }, popups(false, true))],
    ],
    [
      'broken',
      'not shown',
      [baseline(), update(changed)],
      { says: ['description "Changed.", as sent', 'seen "Signs in."'] },
    ],
    ['broken', 'a flag that stays', [baseline(), update({ extraStealth: true })]],
    ['broken', 'an extension too many', [update(extensions('a'), extensions('a', 'b'))]],
    ['broken', 'a prefix that is dropped', [update(prefix)]],
    ['broken', 'in a recording', [recorded(update(changed))]],
    [
      'broken',
      'a popup blocker that stays off beside adblock',
      [baseline(), update(popups(true, true), popups(false, true))],
    ],
    [
      ['kept', 'broken'],
      'gone at the next update',
      [baseline(), update(changed, changed), update({ extraStealth: false })],
      { says: 'still there at the next update' },
    ],
    [
      ['kept', 'broken'],
      'the inbox gone at the next update',
      [baseline(), update(prefix, acme), update({}, prefix)],
      { says: 'inboxEmail' },
    ],
    ['untouched', 'the value that it had', [baseline(), update({ description: 'Signs in.' })]],
    ['untouched', 'a popup blocker that is put right', [baseline(), update({ popupBlockerActive: true })]],
    [
      'untouched',
      'an adblock that is put right',
      [baseline(popups(true, true)), update({ adblockActive: false }, popups(true, true))],
    ],
    [
      'untouched',
      'a popup blocker that goes off with adblock: the one is as sent, the other not asked for',
      [baseline(popups(true, true)), update({ adblockActive: false }, popups(false, false))],
    ],
    ['untouched', 'tracing, for administrators only', [baseline(), update({ tracingEnabled: true })]],
    ['untouched', 'the captcha solver, for managed proxies only', [baseline(), update({ captchaSolverActive: true })]],
    [
      'untouched',
      'the captcha solver, shown and dropped again',
      [baseline(), update({ captchaSolverActive: true }, { captchaSolverActive: true }), baseline()],
    ],
    ['untouched', 'a proxy type, where there may be no managed proxy', [baseline(), update({ proxyType: 'basic' })]],
    ['untouched', 'a proxy of one’s own: its fields are not shown', [baseline(), update(customProxy)]],
    ['untouched', 'an empty prefix', [baseline(acme), update({ inboxEmailPrefix: '' })]],
    ['untouched', 'a field that the contract does not know', [baseline(), update({ proxyMode: 'managed' })]],
    [
      'untouched',
      'a value of the wrong type, taken and put right',
      [baseline(), update({ extraStealth: 'yes' }, { extraStealth: true }, { mark: untyped })],
    ],
    ['untouched', 'a refusal', [baseline(), refusedUpdate(changed)]],
    [
      'untouched',
      'gone at the next update of a recording: somebody may have taken it back',
      [recorded(baseline()), recorded(update({}, changed)), recorded(baseline())],
    ],
    [
      ['kept', 'kept'],
      'cleared whenever it is not sent: update-is-partial speaks of it',
      [
        baseline(),
        update({ name: 'B' }, { name: 'B', description: '' }),
        update(changed, { ...changed, name: 'B' }),
        update({}, { name: 'B', description: '' }),
      ],
    ],
    [
      ['kept', 'kept', 'broken'],
      'gone after two updates that sent it, back at what it was before both',
      [baseline(), update({ name: 'B' }, { name: 'B' }), update({ name: 'C' }, { name: 'C' }), baseline()],
      { says: 'name "C" still there' },
    ],
    [
      'kept',
      'the popup blocker off, where it had no adblock',
      [baseline(popups(true, false)), update({ popupBlockerActive: false }, popups(false, false))],
    ],
    ['kept', 'a gateway preset', [update({ proxyGatewayPresetId: ids.pool }, { proxyGatewayPresetId: ids.pool })]],
    [
      'broken',
      'another gateway preset',
      [update({ proxyGatewayPresetId: ids.pool }, { proxyGatewayPresetId: ids.profile })],
    ],
    ['broken', 'what is sent beside an empty prefix', [update({ inboxEmailPrefix: '', ...changed })]],
    ['untouched', 'a gateway preset that is left out', [update({ proxyGatewayPresetId: ids.pool })]],
    [
      'untouched',
      'a cookie gone at the next update: cookies-are-added speaks of it',
      [baseline(), update({ cookiesToAdd: [cookie('a')] }, { cookies: [cookie('a')] }), baseline()],
    ],
    [
      'untouched',
      'a credential gone at the next update',
      [baseline(), update({ credentialsToAdd: [credential] }, { credentials: [credential] }), baseline()],
    ],
    ...flags.map((flag) => ['broken', `${flag} that stays off`, [baseline(), update({ [flag]: true })]] as const),
    [
      ['kept', 'broken'],
      'gone at the next update, while another setting changes by itself',
      [baseline(), update({}, { name: 'X' }), update(changed, { ...changed, name: 'X' }), update({}, { name: 'X' })],
    ],
  ],

  'update-is-partial': [
    ['kept', 'nothing else changed', [baseline(), update(changed, changed)]],
    ['kept', 'what is sent need not be shown as sent', [baseline(), update({ name: 'B' }, { name: 'b' })]],
    [
      'kept',
      'adblock and popup blocker together',
      [baseline(popups(true, true)), update({ adblockActive: false }, popups(false, false))],
    ],
    [
      'kept',
      'adblock put on for the popup blocker',
      [baseline(), update({ popupBlockerActive: true }, popups(true, true))],
    ],
    ['kept', 'the inbox with its prefix', [baseline(), update(prefix, acme)]],
    [
      'kept',
      'what belongs to a proxy',
      [baseline(), update({ proxyType: 'basic' }, { proxyType: 'basic', stickyIP: true, captchaSolverActive: true })],
    ],
    [
      'kept',
      'what belongs to a proxy mode, whatever its name',
      [baseline({ proxyType: 'basic' }), update({ proxyMode: 'none' })],
    ],
    [
      'kept',
      'the same in another order',
      [baseline(extensions('a', 'b')), update(changed, { ...changed, ...extensions('b', 'a') })],
    ],
    [
      'kept',
      'cookies in another order, their fields too',
      [
        baseline({ cookies: [cookie('a'), cookie('b')] }),
        update(changed, {
          ...changed,
          cookies: [cookie('b'), Object.fromEntries(Object.entries(cookie('a')).reverse())],
        }),
      ],
    ],
    [
      'kept',
      'credentials masked otherwise',
      [
        baseline({ credentials: [credential] }),
        update(changed, { ...changed, credentials: [{ ...credential, data: '••' }] }),
      ],
    ],
    [
      'kept',
      'a field that the contract does not know',
      [baseline({ proxyMode: 'none' }), update(changed, { ...changed, proxyMode: 'managed' })],
    ],
    [
      'kept',
      'an answer that lacks a required field: the schema says so',
      [baseline(), update(changed, { ...changed, stickyIP: undefined })],
    ],
    [
      'broken',
      'another setting changed',
      [baseline(), update(changed, { ...changed, extraStealth: true })],
      { says: ['extraStealth false, as it was not sent', 'seen true'] },
    ],
    ['broken', 'a list emptied', [baseline({ cookies: [cookie('a')] }), update(changed, changed)], { says: 'cookies' }],
    [
      'broken',
      'cookies emptied by an update that adds none',
      [baseline({ cookies: [cookie('a')] }), update({ cookiesToAdd: [] })],
    ],
    [
      'broken',
      'a cookie changed',
      [baseline({ cookies: [cookie('a')] }), update(changed, { ...changed, cookies: [cookie('a', { value: 'b' })] })],
    ],
    [
      'broken',
      'a credential gone',
      [baseline({ credentials: [credential] }), update({ cookiesToAdd: [cookie('a')] }, { cookies: [cookie('a')] })],
    ],
    ['broken', 'a prefix gone', [baseline(acme), update(changed, { ...changed })]],
    ['broken', 'extensions gone', [baseline(extensions('a')), update(changed, changed)]],
    [
      ['kept', 'broken', 'kept'],
      'one of three',
      [
        baseline(),
        update(changed, changed),
        update({}, { ...changed, name: 'X' }),
        update({}, { ...changed, name: 'X' }),
      ],
    ],
    [
      ['kept', 'kept'],
      'what a refused update did: update-is-atomic speaks of it',
      [baseline(), refusedUpdate(changed), baseline(changed), update({}, changed)],
    ],
    [
      ['kept', 'kept'],
      'what was lost again: update-applies speaks of it',
      [baseline(), update(changed, changed), baseline()],
    ],
    ['kept', 'what a duplication did: duplicate-is-new speaks of it', [baseline(), duplicate(), baseline(changed)]],
    [
      'untouched',
      'a recording: somebody may have changed it',
      [recorded(baseline()), recorded(update(changed, { ...changed, extraStealth: true }))],
    ],
    [
      'untouched',
      'updates at one time',
      [baseline({}, { at: 0, durationMs: 50 }), update(changed, { ...changed, name: 'X' }, { at: 20 })],
    ],
    [
      'untouched',
      'an update without an answer between: it may have been done',
      [baseline(), unanswered, baseline(changed)],
    ],
    [
      'untouched',
      'an update that failed between: it may have been done',
      [baseline(), refusedUpdate(changed, { status: 500 }), baseline(changed)],
    ],
    [
      'untouched',
      'another profile',
      [baseline(), update({}, { id: another.profile, name: 'X' }, { resource: another.profile })],
    ],
    [
      ['broken', 'kept', 'broken'],
      'cleared whenever it is not sent',
      [
        baseline(),
        update({ name: 'B' }, { name: 'B', description: '' }),
        update(changed, { ...changed, name: 'B' }),
        update({}, { name: 'B', description: '' }),
      ],
    ],
    [
      'broken',
      'what was just set, of a profile that was not seen before',
      [update(changed, changed), baseline({ description: '' })],
    ],
    ...[...flags, 'popupBlockerActive', 'captchaSolverActive', 'tracingEnabled', 'stickyIP'].map(
      (flag) => ['broken', `${flag} changed`, [baseline(), update({}, { [flag]: true })]] as const,
    ),
    ...proxies.map((one) => ['broken', `${Object.keys(one)} gone`, [baseline(one), update({})]] as const),
    ...proxies.map(
      (one) =>
        [
          'kept',
          `what comes and goes with ${Object.keys(one)}`,
          [baseline(), update(one, { stickyIP: true, captchaSolverActive: true, ...one })],
        ] as const,
    ),
    ['kept', 'no extensions, as sent', [baseline(extensions('a')), update({ extensionIds: [] })]],
    [
      'kept',
      'credentials with their update',
      [baseline({ credentials: [credential] }), update({ credentialsToUpdate: [credential] })],
    ],
    [
      'kept',
      'what belongs to a proxy mode, sent beside others',
      [baseline(), update({ ...changed, proxyMode: 'managed' }, { ...changed, stickyIP: true })],
    ],
    [
      'broken',
      'what does not belong to a proxy',
      [baseline(), update({ proxyType: 'basic' }, { proxyType: 'basic', extraStealth: true })],
    ],
    [
      'broken',
      'a value that the refused update did not send',
      [baseline(), refusedUpdate(changed), baseline({ description: 'Other.' })],
    ],
    [
      'broken',
      'what a duplication that was refused cannot have done',
      [baseline(), duplicate({}, {}, { status: 403 }), baseline(changed)],
    ],
    [
      ['kept', 'kept', 'broken'],
      'back at what it was before an update that is long over',
      [
        baseline(),
        update(changed, changed),
        update({ name: 'B' }, { ...changed, name: 'B' }),
        update({}, { name: 'B' }),
      ],
    ],
    ['untouched', 'partly a recording', [recorded(baseline()), update(changed, { ...changed, name: 'X' })]],
    ['untouched', 'partly of the suite', [baseline(), recorded(update(changed, { ...changed, name: 'X' }))]],
  ],

  'update-is-atomic': [
    ['kept', 'nothing of it done', [baseline(), refusedUpdate({ ...changed, name: '' }), baseline()]],
    ['kept', 'two of them', [baseline(), refusedUpdate({ name: 5 }), refusedUpdate(changed), baseline()]],
    ['kept', 'a cookie not added', [baseline(), refusedUpdate({ cookiesToAdd: [cookie('a')] }), baseline()]],
    [
      'kept',
      'another setting changed: update-is-partial speaks of it',
      [baseline(), refusedUpdate(changed), baseline({ extraStealth: true })],
    ],
    [
      'broken',
      'its valid field done',
      [baseline(), refusedUpdate({ ...changed, name: '' }), baseline(changed)],
      { says: ['description "Signs in." after an update that was refused', '"Changed."'] },
    ],
    ['broken', 'its invalid field done', [baseline(), refusedUpdate({ name: '' }), baseline({ name: '' })]],
    [
      'broken',
      'a cookie added',
      [baseline(), refusedUpdate({ cookiesToAdd: [cookie('a'), {}] }), baseline({ cookies: [cookie('a')] })],
      { says: 'cookies' },
    ],
    [
      'broken',
      'the first of two',
      [baseline(), refusedUpdate(changed), refusedUpdate({ name: '' }), baseline(changed)],
    ],
    [
      'untouched',
      'one that would have changed nothing',
      [baseline(), refusedUpdate({ description: 'Signs in.' }), baseline()],
    ],
    [
      'untouched',
      'one whose field is sent again',
      [baseline(), refusedUpdate({ name: '' }), update({ name: 'X' }, { name: 'X' })],
    ],
    ['untouched', 'no look afterwards', [baseline(), refusedUpdate(changed)]],
    ['untouched', 'no look before', [refusedUpdate(changed), baseline(changed)]],
    ['untouched', 'a limit of rate', [baseline(), refusedUpdate(changed, { status: 429 }), baseline()]],
    ['untouched', 'a failure', [baseline(), refusedUpdate(changed, { status: 500 }), baseline(changed)]],
    ['untouched', 'a recording', [baseline(), refusedUpdate(changed), baseline(changed)].map(recorded)],
    ['untouched', 'no refusal', [baseline(), update(changed, changed)]],
    [
      'untouched',
      'one that was sent again',
      [baseline(), refusedUpdate(changed, { mark: { superseded: true } }), baseline()],
    ],
  ],

  'update-keeps-identity': [
    ['kept', 'the same, and later', [baseline(), update(changed, changed)]],
    ['kept', 'in a recording', [recorded(baseline()), recorded(update(changed, changed))]],
    ['kept', 'the same time, as nothing changed', [baseline(at('01.5Z')), baseline(at('01.500Z'))]],
    [
      'kept',
      'two in one second, by a clock of seconds',
      [baseline(at('01Z'), { at: 0 }), update(changed, { ...changed, ...at('01Z') }, { at: 900 })],
    ],
    [
      'kept',
      'two in one millisecond',
      [baseline(at('01.5Z'), { at: 0, durationMs: 1 }), update(changed, { ...changed, ...at('01.5Z') }, { at: 2 })],
    ],
    [
      'kept',
      'the same time in a recording, where something else may have changed it',
      [recorded(baseline(at('01.5Z'))), recorded(update(changed, { ...changed, ...at('01.5Z') }))],
    ],
    [
      'kept',
      'an earlier time of an update at the same time',
      [baseline(at('02.5Z'), { at: 0, durationMs: 50 }), baseline(at('01.5Z'), { at: 10 })],
    ],
    ['broken', 'another id', [baseline({ id: another.profile })], { says: another.profile }],
    [
      ['kept', 'broken'],
      'another organization',
      [baseline(), baseline({ organizationId: another.organization })],
      { says: `organizationId "${organization}"` },
    ],
    [
      ['kept', 'broken'],
      'another createdAt',
      [recorded(baseline()), recorded(baseline({ createdAt: '2026-03-02T12:00:00.101Z' }))],
    ],
    [['kept', 'broken'], 'an earlier updatedAt', [baseline(at('02.5Z')), baseline(at('01.5Z'))], { says: 'or later' }],
    [
      ['kept', 'broken'],
      'the same updatedAt, though it changed',
      [baseline(at('01.5Z')), update(changed, { ...changed, ...at('01.5Z') })],
      { says: 'as description changed' },
    ],
    [
      ['kept', 'broken'],
      'the same second for a while',
      [baseline(at('01Z'), { at: 0 }), update(changed, { ...changed, ...at('01Z') }, { at: 9000 })],
    ],
    ['untouched', 'a refusal', [refusedUpdate(changed)]],
    ['untouched', 'a duplication', [duplicate()]],
    [
      ['kept', 'kept', 'kept', 'broken'],
      'the same updatedAt over many quick changes',
      [1, 2, 3, 4].map((n) =>
        update({ name: `${n}` }, { name: `${n}`, ...at('01.5Z') }, { at: 100 + n * 2, durationMs: 1 }),
      ),
    ],
    [
      'kept',
      'a time that is none: the schema says so',
      [baseline({ updatedAt: 'today' }), baseline({ updatedAt: 'now' }), baseline()],
    ],
  ],

  'popup-blocker-requires-adblock': [
    ['kept', 'both', [update(changed, popups(true, true))]],
    ['kept', 'put right', [update({ popupBlockerActive: true }, popups(false, false))]],
    ['kept', 'gone off with adblock', [update({ adblockActive: false }, popups(false, false))]],
    [
      'broken',
      'one without the other',
      [update({ popupBlockerActive: true }, popups(true, false))],
      { says: 'only with adblockActive' },
    ],
    ['broken', 'adblock put off alone', [recorded(update({ adblockActive: false }, popups(true, false)))]],
    ['untouched', 'neither', [update(changed, popups(false, false))]],
    ['untouched', 'a refusal', [refusedUpdate({ popupBlockerActive: true })]],
    ['untouched', 'a duplication', [duplicate(popups(true, false))]],
  ],

  'proxy-password-is-hidden': [
    ['kept', 'server and username', [update(changed, customProxy)]],
    ['kept', 'in a copy', [duplicate(customProxy)]],
    ['kept', 'a mask', [update(changed, { customProxy: { ...customProxy.customProxy, password: '****' } })]],
    [
      'kept',
      'an empty password, as sent',
      [update({ customProxy: { password: '' } }, { customProxy: { server: 'a', password: '' } })],
    ],
    [
      'broken',
      'a password',
      [update(changed, { customProxy: { server: 'a', password: 'secret' } })],
      { says: ['without a password', 'server, password'] },
    ],
    ['broken', 'a password in a copy', [recorded(duplicate({ customProxy: { server: 'a', passwd: 'secret' } }))]],
    [
      'broken',
      'the password that was sent, by another name',
      [update({ customProxy: { password: 'hush' } }, { customProxy: { server: 'a', token: 'hush' } })],
    ],
    ['untouched', 'no proxy', [update(changed), duplicate()]],
    ['untouched', 'a refusal', [refusedUpdate(customProxy)]],
    [
      'untouched',
      'a refusal that shows one',
      [refusedUpdate(customProxy, { body: { customProxy: { password: 'secret' } } })],
    ],
    ['untouched', 'another resource that shows one', [reading('running', { customProxy: { password: 'secret' } })]],
  ],
} satisfies Tables;
