import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import {
  acme,
  baseline,
  changed,
  cookie,
  credential,
  extensions,
  popups,
  prefix,
  refusedUpdate,
  update,
} from '../../../../support/profiles.js';
import { another, organization } from '../../../../support/runs.js';

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
    [
      ['satisfied', 'violated'],
      'a name refused that only a profile of another organization has',
      [baseline(), there(mine), refusedUpdate(mine), named(next)],
      { says: ['which no other profile of the organization has', '400'] },
    ],
    [
      ['satisfied', 'satisfied', 'satisfied', 'violated'],
      'a name refused that the profile had before',
      [named(mine), named(other), baseline(other), baseline(other), refusedUpdate(mine), named(next)],
    ],
    [
      'satisfied',
      'a name refused that the profile had a moment ago',
      [named(mine), named(other), refusedUpdate(mine), named(next)],
    ],
    [
      'satisfied',
      'a name refused that another profile of the organization has as well',
      [
        baseline(),
        there(mine),
        there({ ...mine, id: ids.pool, organizationId: organization }, ids.pool),
        refusedUpdate(mine),
        named(next),
      ],
    ],
    ['ignored', 'every name refused', [baseline(), there(mine), refusedUpdate(mine), refusedUpdate(next)]],
    [
      'satisfied',
      'a name refused with more than that',
      [baseline(), there(mine), refusedUpdate({ ...mine, description: 'A' }), named(next)],
    ],
    [
      'satisfied',
      "a name refused that may be somebody else's",
      [baseline(), there({ name: 'Shop' }), refusedUpdate({ name: 'Shop' }), named(next)],
    ],
    [
      ['violated', 'violated'],
      'two lists together, refused each time, that are taken one by one',
      [update(goes), refusedUpdate(both), update(comes), refusedUpdate(both)],
      { says: 'cookiesToAdd and cookiesToDelete taken together' },
    ],
    [
      'ignored',
      'two lists together, beside a third that is never taken',
      [
        update(goes),
        ...[1, 2].flatMap(() => [refusedUpdate({ ...both, credentialsToDelete: [ids.pool] }), update(comes)]),
      ],
    ],
    ['ignored', 'two lists together, refused once', [update(goes), refusedUpdate(both), update(comes)]],
    [
      'ignored',
      'two lists together, refused since there is no room',
      [update(comes), update(goes), refusedUpdate(both), refusedUpdate(both)],
    ],
    [
      'ignored',
      'two lists together, refused by turns',
      [update(goes), refusedUpdate(both), update(comes), update(both), refusedUpdate(both)],
    ],
    [
      'satisfied',
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
      ['satisfied', 'violated', 'satisfied', 'violated'],
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
      [
        'satisfied',
        'satisfied',
        'satisfied',
        'satisfied',
        'satisfied',
        'satisfied',
        'satisfied',
        'violated',
        'satisfied',
        'violated',
        'satisfied',
        'violated',
      ],
      'a flag that is set back every second time, and at no other',
      [
        ...[true, true, true, false, false, false].flatMap(setThen),
        ...Array.from({ length: 12 }, () => baseline({ extraStealth: false })),
      ],
    ],
    [
      'satisfied',
      'the same extensions in another order and case',
      [update(extensions('a', 'b'), { extensionIds: extensions('B', 'A').extensionIds.map((id) => id.toUpperCase()) })],
    ],
    ['satisfied', 'no extensions any more', [baseline(extensions('a')), update({ extensionIds: [] })]],
    [
      'violated',
      'not shown',
      [baseline(), update(changed)],
      { says: ['description "Changed.", as sent', 'seen "Signs in."'] },
    ],
    [
      'violated',
      'a popup blocker that stays off beside adblock',
      [baseline(), update(popups(true, true), popups(false, true))],
    ],
    [
      ['satisfied', 'violated'],
      'the inbox gone at the next update',
      [baseline(), update(prefix, acme), update({}, prefix)],
      { says: 'inboxEmail' },
    ],
    ['ignored', 'a popup blocker that is put right', [baseline(), update({ popupBlockerActive: true })]],
    [
      'ignored',
      'a popup blocker that goes off with adblock: the one is as sent, the other not asked for',
      [baseline(popups(true, true)), update({ adblockActive: false }, popups(false, false))],
    ],
    ['ignored', 'tracing, for administrators only', [baseline(), update({ tracingEnabled: true })]],
    [
      'ignored',
      'the captcha solver, shown and dropped again',
      [baseline(), update({ captchaSolverActive: true }, { captchaSolverActive: true }), baseline()],
    ],
    ['ignored', 'a proxy type, where there may be no managed proxy', [baseline(), update({ proxyType: 'basic' })]],
    [
      ['satisfied', 'satisfied'],
      'a prefix that nothing shows later but the inbox',
      [baseline(), update(prefix, acme), update(changed, { ...changed, inboxEmail: acme.inboxEmail })],
    ],
    ...['half a \ud800', 'null \0'].map(
      (description) =>
        [
          'ignored',
          'a text that not every store takes',
          [baseline(), update({ description }, { description: 'put right' })],
        ] as const,
    ),
    [
      'ignored',
      'a value of the wrong type, taken and put right',
      [baseline(), update({ extraStealth: 'yes' }, { extraStealth: true }, { mark: untyped })],
    ],
    [
      'violated',
      'refused, though nothing is a condition of it',
      [baseline(), refusedUpdate({ extraStealth: true, description: 'x' })],
      { says: ['extraStealth, description taken', '400 with'] },
    ],
    ['violated', 'no extensions, refused', [baseline(), refusedUpdate({ extensionIds: [] })]],
    ['violated', 'adblock off, refused without popups blocked', [baseline(), refusedUpdate({ adblockActive: false })]],
    [
      'violated',
      'a popup blocker, refused though adblock is active',
      [baseline({ adblockActive: true }), refusedUpdate({ popupBlockerActive: true })],
      { says: 'popupBlockerActive taken' },
    ],
    ['ignored', 'one that is refused without adblock', [baseline(), refusedUpdate({ popupBlockerActive: true })]],
    [
      'ignored',
      'one for which adblock goes off',
      [baseline({ adblockActive: true }), refusedUpdate({ popupBlockerActive: true, adblockActive: false })],
    ],
    [
      'ignored',
      'adblock off, refused as popups are blocked',
      [baseline({ adblockActive: true, popupBlockerActive: true }), refusedUpdate({ adblockActive: false })],
    ],
    ['inconclusive', 'a permission that lacks', [baseline(), refusedUpdate({ extraStealth: true }, { status: 403 })]],
    ['ignored', 'extensions, which may be gone', [baseline(), refusedUpdate({ extensionIds: [ids.pool] })]],
    ['ignored', 'nothing, which may be refused', [baseline(), refusedUpdate({})]],
    ['ignored', 'a value of another type', [baseline(), refusedUpdate({ extraStealth: 'yes' })]],
    ['ignored', 'a profile that was not seen', [refusedUpdate({ extraStealth: true })]],
    ['ignored', 'a probe', [baseline(), refusedUpdate(changed, { mark: untyped })]],
    [
      ['satisfied', 'satisfied'],
      'cleared whenever it is not sent: update-is-partial speaks of it',
      [
        baseline(),
        update({ name: 'B' }, { name: 'B', description: '' }),
        update(changed, { ...changed, name: 'B' }),
        update({}, { name: 'B', description: '' }),
      ],
    ],
    [
      ['satisfied', 'satisfied', 'violated'],
      'gone after two updates that sent it, back at what it was before both',
      [baseline(), update({ name: 'B' }, { name: 'B' }), update({ name: 'C' }, { name: 'C' }), baseline()],
      { says: 'name "C" still there' },
    ],
    [
      'satisfied',
      'the popup blocker off, where it had no adblock',
      [baseline(popups(true, false)), update({ popupBlockerActive: false }, popups(false, false))],
    ],
    [
      'violated',
      'another gateway preset',
      [update({ proxyGatewayPresetId: ids.pool }, { proxyGatewayPresetId: ids.profile })],
    ],
    ['violated', 'what is sent beside an empty prefix', [update({ inboxEmailPrefix: '', ...changed })]],
    [
      'ignored',
      'a cookie gone at the next update: cookies-are-added speaks of it',
      [baseline(), update({ cookiesToAdd: [cookie('a')] }, { cookies: [cookie('a')] }), baseline()],
    ],
    [
      'ignored',
      'a credential gone at the next update',
      [baseline(), update({ credentialsToAdd: [credential] }, { credentials: [credential] }), baseline()],
    ],
  ],
} satisfies Tables;
