import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import {
  acme,
  baseline,
  changed,
  cookie,
  credential,
  customProxy,
  extensions,
  flags,
  popups,
  prefix,
  refusedUpdate,
  update,
} from '../../../../support/profiles.js';
import { another, organization, recorded } from '../../../../support/runs.js';

const untyped = { probe: { rule: 'update-body-is-typed', fault: '', twins: [] } } as const;

const comes = { cookiesToAdd: [cookie('a')] };
const goes = { cookiesToDelete: [ids.pool] };
const both = { ...comes, ...goes };

/** Names that the suite makes up. */
const [mine, other, next] = ['a', 'b', 'c'].map((name) => ({ name: `conformance-${name}` }));
const named = (name: object | undefined): Sketch => update(name, name);
/** A profile of another organization, unless told otherwise. */
const there = (shown: object | undefined, resource: string = another.profile): Sketch =>
  update({}, { id: another.profile, organizationId: another.organization, ...shown }, { resource });

/** A flag that is set, and stays or does not; then it is as it was before, and nobody asks for it. */
const setThen = (stays: boolean) => [
  update({ extraStealth: true }, { extraStealth: true }),
  update({}, { extraStealth: stays }),
  update({ extraStealth: false }, { extraStealth: false }),
  baseline({ extraStealth: false }),
];

export const updates = {
  'update-applies': [
    ['kept', 'shown as sent', [baseline(), update(changed, changed)]],
    [
      ['kept', 'broken'],
      'a name refused that only a profile of another organization has',
      [baseline(), there(mine), refusedUpdate(mine), named(next)],
      { says: ['which no other profile of the organization has', '400'] },
    ],
    [
      ['kept', 'kept', 'kept', 'broken'],
      'a name refused that the profile had before',
      [named(mine), named(other), baseline(other), baseline(other), refusedUpdate(mine), named(next)],
    ],
    [
      'kept',
      'a name refused that the profile had a moment ago',
      [named(mine), named(other), refusedUpdate(mine), named(next)],
    ],
    [
      'kept',
      'a name refused that another profile of the organization has as well',
      [
        baseline(),
        there(mine),
        there({ ...mine, id: ids.pool, organizationId: organization }, ids.pool),
        refusedUpdate(mine),
        named(next),
      ],
    ],
    ['untouched', 'every name refused', [baseline(), there(mine), refusedUpdate(mine), refusedUpdate(next)]],
    [
      'kept',
      'a name refused with more than that',
      [baseline(), there(mine), refusedUpdate({ ...mine, description: 'A' }), named(next)],
    ],
    [
      'kept',
      "a name refused that may be somebody else's",
      [baseline(), there({ name: 'Shop' }), refusedUpdate({ name: 'Shop' }), named(next)],
    ],
    ['kept', 'a name refused that is not known from anywhere', [baseline(), refusedUpdate(mine), named(next)]],
    [
      ['broken', 'broken'],
      'two lists together, refused each time, that are taken one by one',
      [update(goes), refusedUpdate(both), update(comes), refusedUpdate(both)],
      { says: 'cookiesToAdd and cookiesToDelete taken together' },
    ],
    [
      'untouched',
      'two lists together, beside a third that is never taken',
      [
        update(goes),
        ...[1, 2].flatMap(() => [refusedUpdate({ ...both, credentialsToDelete: [ids.pool] }), update(comes)]),
      ],
    ],
    ['untouched', 'two lists together, refused once', [update(goes), refusedUpdate(both), update(comes)]],
    [
      'untouched',
      'two lists together, refused since there is no room',
      [update(comes), update(goes), refusedUpdate(both), refusedUpdate(both)],
    ],
    [
      'untouched',
      'two lists together, refused by turns',
      [update(goes), refusedUpdate(both), update(comes), update(both), refusedUpdate(both)],
    ],
    ['kept', 'shown as sent, in a recording', [recorded(update(changed, changed))]],
    ['kept', 'still there at the next update', [baseline(), update(changed, changed), update({}, changed)]],
    [
      'kept',
      'a flag that was set back once, by somebody, and kept another time',
      [
        baseline({ extraStealth: false }),
        update({ extraStealth: true }, { extraStealth: true }),
        update({}, { extraStealth: false }),
        update({ extraStealth: true }, { extraStealth: true }),
        update({}, { extraStealth: true }),
      ],
    ],
    [
      ['kept', 'broken', 'kept', 'broken'],
      'a flag that is set back each time',
      [
        baseline({ extraStealth: false }),
        update({ extraStealth: true }, { extraStealth: true }),
        update({}, { extraStealth: false }),
        update({ extraStealth: true }, { extraStealth: true }),
        update({}, { extraStealth: false }),
      ],
    ],
    [
      ['kept', 'kept', 'kept', 'kept', 'kept', 'kept', 'kept', 'broken', 'kept', 'broken', 'kept', 'broken'],
      'a flag that is set back every second time, and at no other',
      [
        ...[true, true, true, false, false, false].flatMap(setThen),
        ...Array.from({ length: 12 }, () => baseline({ extraStealth: false })),
      ],
    ],
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
    [
      ['kept', 'kept'],
      'a prefix that nothing shows later but the inbox',
      [baseline(), update(prefix, acme), update(changed, { ...changed, inboxEmail: acme.inboxEmail })],
    ],
    [
      ['kept', 'broken'],
      'a prefix that nothing shows later, and the inbox as it was',
      [baseline(), update(prefix, acme), baseline()],
    ],
    ['untouched', 'an empty prefix', [baseline(acme), update({ inboxEmailPrefix: '' })]],
    ['untouched', 'a field that the contract does not know', [baseline(), update({ proxyMode: 'managed' })]],
    ...['half a \ud800', 'null \0'].map(
      (description) =>
        [
          'untouched',
          'a text that not every store takes',
          [baseline(), update({ description }, { description: 'put right' })],
        ] as const,
    ),
    [
      'untouched',
      'a value of the wrong type, taken and put right',
      [baseline(), update({ extraStealth: 'yes' }, { extraStealth: true }, { mark: untyped })],
    ],
    [
      'broken',
      'refused, though nothing is a condition of it',
      [baseline(), refusedUpdate({ extraStealth: true, description: 'x' })],
      { says: ['extraStealth, description taken', '400 with'] },
    ],
    ['broken', 'no extensions, refused', [baseline(), refusedUpdate({ extensionIds: [] })]],
    ['broken', 'adblock off, refused without popups blocked', [baseline(), refusedUpdate({ adblockActive: false })]],
    [
      'broken',
      'a popup blocker, refused though adblock is active',
      [baseline({ adblockActive: true }), refusedUpdate({ popupBlockerActive: true })],
      { says: 'popupBlockerActive taken' },
    ],
    ['untouched', 'one that is refused without adblock', [baseline(), refusedUpdate({ popupBlockerActive: true })]],
    [
      'untouched',
      'one for which adblock goes off',
      [baseline({ adblockActive: true }), refusedUpdate({ popupBlockerActive: true, adblockActive: false })],
    ],
    [
      'untouched',
      'adblock off, refused as popups are blocked',
      [baseline({ adblockActive: true, popupBlockerActive: true }), refusedUpdate({ adblockActive: false })],
    ],
    ['unclear', 'a permission that lacks', [baseline(), refusedUpdate({ extraStealth: true }, { status: 403 })]],
    ['untouched', 'a name, which may be taken', [baseline(), refusedUpdate({ name: 'x' })]],
    ['untouched', 'extensions, which may be gone', [baseline(), refusedUpdate({ extensionIds: [ids.pool] })]],
    ['untouched', 'nothing, which may be refused', [baseline(), refusedUpdate({})]],
    ['untouched', 'a value of another type', [baseline(), refusedUpdate({ extraStealth: 'yes' })]],
    ['untouched', 'a profile that was not seen', [refusedUpdate({ extraStealth: true })]],
    ['untouched', 'a recorded refusal', [baseline(), recorded(refusedUpdate({ extraStealth: true }))]],
    ['untouched', 'a probe', [baseline(), refusedUpdate(changed, { mark: untyped })]],
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
} satisfies Tables;
