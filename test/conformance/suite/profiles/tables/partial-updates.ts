import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import {
  acme,
  baseline,
  changed,
  cookie,
  credential,
  customProxy,
  duplicate,
  extensions,
  idOf,
  known,
  popups,
  prefix,
  refusedUpdate,
  update,
} from '../../../../support/profiles.js';
import { cut, recorded } from '../../../../support/runs.js';
import { asText } from '../../../../support/sketches.js';

const preset = { proxyGatewayPresetId: ids.pool };
const proxies = [{ proxyType: 'basic' }, preset, customProxy];

/** Updates at the same time, each answered with nothing but its own change. */
const at = (ms: number, sent: object, more: Partial<Sketch> = {}): Sketch =>
  update(sent, sent, { at: ms, durationMs: 500, ...more });
const first = () => baseline({}, { at: 1000 });
const atOnce = [first(), at(2000, { description: 'B' }), at(2100, { extraStealth: true })];
const after = (shown: object): Sketch => baseline(shown, { at: 4000 });

const called = (...names: string[]): Sketch[] => names.map((name) => baseline({ name }));
const turned = (...values: boolean[]): Sketch[] => values.map((extraStealth) => baseline({ extraStealth }));

export const partialUpdates = {
  'update-is-partial': [
    [
      'satisfied',
      'the same, put back by the run in between',
      [...called('Renamed 1', 'Renamed 2', 'Renamed 3'), update({ name: 'Renamed 1' }), ...called('Renamed 4')],
    ],
    [
      ['satisfied', 'satisfied', 'violated'],
      'another setting, where somebody else changes the name',
      [...called('Portal', 'Renamed 1', 'Renamed 2'), baseline({ name: 'Renamed 2', extraStealth: true })],
      { says: 'extraStealth false' },
    ],
    ['violated', 'a name that grows', called('Portal', 'Portal (1)', 'Portal (1) (2)')],
    [
      ['satisfied', 'satisfied', 'violated', 'violated'],
      'names made of those that were sent',
      [
        ...called('Portal'),
        update({ name: 'Shop of acme' }, { name: 'Shop of acme' }),
        ...called('Shop of acme', 'ACME SHOP', 'acme: shop'),
      ],
    ],
    [
      'satisfied',
      'credentials that somebody else adds, and takes away again',
      [[], ['a'], ['a', 'b'], ['b', 'c'], []].map((names) =>
        baseline({ credentials: names.map((name) => known({ name, data: 'x' }, name)) }),
      ),
    ],
    ['satisfied', 'a flag that somebody else turns now and then', turned(false, true, true, false, true)],
    ['violated', 'a flag that is turned at every update', turned(false, true, false, true)],
    [
      ['satisfied', 'violated', 'satisfied'],
      'a flag that is turned off, and never on',
      turned(true, true, false, false),
    ],
    [
      ['satisfied', 'violated', 'violated'],
      'a flag that follows another one',
      [
        ...turned(false, false),
        update({ mediaBlockerActive: true }, { mediaBlockerActive: true, extraStealth: true }),
        update({ mediaBlockerActive: false }),
      ],
    ],
    [
      'ignored',
      'what an update may have changed whose body is not labelled as JSON',
      [baseline(), asText(update(changed, changed)), baseline(changed)],
    ],
    [
      'ignored',
      'the same, under way together with others',
      [
        first(),
        at(2000, { description: 'B' }),
        asText(at(2100, { name: 'C' })),
        at(2200, { extraStealth: true }),
        after({ name: 'C', description: 'B', extraStealth: true }),
      ],
    ],
    [
      'violated',
      'a proxy mode, whatever it is called, that is otherwise',
      [baseline({ mode: 'managed' }), update(changed, { ...changed, mode: 'none' })],
      { says: 'mode "managed"' },
    ],
    [
      'satisfied',
      'a proxy mode that goes with the proxy',
      [baseline({ mode: 'managed' }), update({ proxyType: 'basic' }, { proxyType: 'basic', mode: 'none' })],
    ],
    [
      'satisfied',
      'a description that somebody else never stops changing, after it was put back',
      [
        baseline({ description: 'Edited by another 1' }),
        update(changed, changed),
        update({ description: 'Edited by another 1' }, { description: 'Edited by another 1' }),
        baseline({ description: 'Edited by another 2' }),
      ],
    ],
    ['violated', 'a description that has no sentence in its place', [baseline(), baseline({ description: 'Not set' })]],
    [
      'satisfied',
      'a field of the service',
      [baseline({ revision: 'r1' }), update(changed, { ...changed, revision: 'r2' })],
    ],
    [
      'violated',
      'two at the same time, of which one is lost',
      [...atOnce, after({ description: 'Signs in.', extraStealth: true })],
      { says: ['description "B", whatever was done at the same time', 'seen "Signs in."'] },
    ],
    [
      'violated',
      'another setting is otherwise after two at the same time',
      [...atOnce, after({ description: 'B', extraStealth: true, name: 'C' })],
      { says: 'name "Portal"' },
    ],
    [
      'violated',
      'a cookie that was added at the same time is lost',
      [
        first(),
        update({ cookiesToAdd: [cookie('a')] }, { cookies: [cookie('a')] }, { at: 2000, durationMs: 500 }),
        at(2100, { extraStealth: true }),
        after({ extraStealth: true }),
      ],
      { says: 'required "a" among cookies' },
    ],
    [
      'satisfied',
      'a cookie that was added at the same time is gone where the next update deletes it',
      [
        first(),
        update({ cookiesToAdd: [cookie('a')] }, { cookies: [known(cookie('a'), 'a')] }, { at: 2000, durationMs: 500 }),
        at(2100, { extraStealth: true }),
        update({ cookiesToDelete: [idOf('a')] }, { extraStealth: true }, { at: 4000 }),
      ],
    ],
    [
      'satisfied',
      'two to one setting at the same time: either may be last',
      [first(), at(2000, { description: 'B' }), at(2100, { description: 'C' }), after({ description: 'B' })],
    ],
    [
      'violated',
      'two to one setting at the same time: neither is there',
      [first(), at(2000, { description: 'B' }), at(2100, { description: 'C' }), after({ description: 'D' })],
    ],
    [
      [],
      'one of two at the same time was not answered: nobody knows whether it was made',
      [first(), at(2000, { description: 'B' }), at(2100, { extraStealth: true }, cut), after({})],
    ],
    [
      'satisfied',
      'an answer that shows what another one at the same time changed',
      [
        first(),
        update({ description: 'B' }, { description: 'B', extraStealth: true }, { at: 2000, durationMs: 500 }),
        at(2050, { name: 'C' }, { status: 409, body: { code: 409, message: 'Busy.' } }),
        at(2100, { extraStealth: true }),
        after({ description: 'B', extraStealth: true }),
      ],
    ],
    [
      'satisfied',
      'adblock and popup blocker together',
      [baseline(popups(true, true)), update({ adblockActive: false }, popups(false, false))],
    ],
    [
      'satisfied',
      'adblock put on for the popup blocker',
      [baseline(), update({ popupBlockerActive: true }, popups(true, true))],
    ],
    ['satisfied', 'the inbox with its prefix', [baseline(), update(prefix, acme)]],
    [
      'satisfied',
      'credentials masked otherwise',
      [
        baseline({ credentials: [credential] }),
        update(changed, { ...changed, credentials: [{ ...credential, data: '••' }] }),
      ],
    ],
    [
      'violated',
      'adblock that goes off with the popup blocker',
      [baseline(popups(true, true)), update({ popupBlockerActive: false }, popups(false, false))],
      { says: 'adblockActive true' },
    ],
    [
      'violated',
      'a proxy mode that is none no more',
      [baseline({ mode: 'none' }), update(changed, { ...changed, mode: 'managed' })],
      { says: 'mode "none"' },
    ],
    [
      'satisfied',
      'an answer that lacks a required field: the schema says so',
      [baseline(), update(changed, { ...changed, stickyIP: undefined })],
    ],
    [
      'violated',
      'another setting changed',
      [baseline(), update(changed, { ...changed, extraStealth: true })],
      { says: ['extraStealth false, as it was not sent', 'seen true'] },
    ],
    [
      'violated',
      'cookies emptied by an update that adds none',
      [baseline({ cookies: [cookie('a')] }), update({ cookiesToAdd: [] })],
    ],
    [
      ['satisfied', 'violated'],
      'a cookie changed that an update added',
      [
        baseline(),
        update({ cookiesToAdd: [cookie('a')] }, { cookies: [cookie('a')] }),
        update(changed, { ...changed, cookies: [cookie('a', { value: 'b' })] }),
      ],
    ],
    [
      ['satisfied', 'satisfied', 'violated'],
      'a cookie back that an update deleted, beside one that came',
      [
        baseline(),
        update({ cookiesToAdd: [cookie('a')] }, { cookies: [known(cookie('a'), 'a')] }),
        update({ cookiesToDelete: [idOf('a')] }),
        update(changed, { ...changed, cookies: [known(cookie('a'), 'a'), cookie('b')] }),
      ],
    ],
    [
      'satisfied',
      'cookies that came and were renewed: a browser may have used the profile',
      [
        baseline({ cookies: [cookie('a')] }),
        update(changed, { ...changed, cookies: [cookie('a', { value: 'b' }), cookie('c')] }),
      ],
    ],
    [
      'satisfied',
      'a cookie gone whose time was over',
      [
        baseline({ cookies: [cookie('a', { expiry: '1969-12-31T00:00:00Z' }), cookie('b')] }),
        update(changed, { ...changed, cookies: [cookie('b')] }),
      ],
    ],
    [
      'violated',
      'a cookie gone whose time was not over',
      [baseline({ cookies: [cookie('a', { expiry: '2040-01-01T00:00:00Z' })] }), update(changed, changed)],
    ],
    ['violated', 'a prefix gone', [baseline(acme), update(changed, { ...changed })]],
    [
      ['satisfied', 'satisfied'],
      'what a refused update did: update-is-atomic speaks of it',
      [baseline(), refusedUpdate(changed), baseline(changed), update({}, changed)],
    ],
    [
      ['satisfied', 'satisfied'],
      'what was lost again: update-applies speaks of it',
      [baseline(), update(changed, changed), baseline()],
    ],
    [
      'satisfied',
      'what a duplication did: duplicate-is-new speaks of it',
      [baseline(), duplicate(), baseline(changed)],
    ],
    [
      'ignored',
      'updates at one time',
      [baseline({}, { at: 0, durationMs: 50 }), update(changed, { ...changed, name: 'X' }, { at: 20 })],
    ],
    [
      ['violated', 'satisfied', 'violated'],
      'cleared whenever it is not sent',
      [
        baseline(),
        update({ name: 'B' }, { name: 'B', description: '' }),
        update(changed, { ...changed, name: 'B' }),
        update({}, { name: 'B', description: '' }),
      ],
    ],
    [
      'violated',
      'what was just set, of a profile that was not seen before',
      [update(changed, changed), baseline({ description: '' })],
    ],
    ...proxies.map((one) => ['violated', `${Object.keys(one)} gone`, [baseline(one), update({})]] as const),
    ...proxies.map(
      (one) =>
        [
          'satisfied',
          `what comes and goes with ${Object.keys(one)}`,
          [baseline(), update(one, { stickyIP: true, captchaSolverActive: true, ...one })],
        ] as const,
    ),
    ['satisfied', 'no extensions, as sent', [baseline(extensions('a')), update({ extensionIds: [] })]],
    [
      'satisfied',
      'credentials with their update',
      [baseline({ credentials: [credential] }), update({ credentialsToUpdate: [credential] })],
    ],
    [
      'satisfied',
      'what belongs to a proxy mode, sent beside others',
      [baseline(), update({ ...changed, proxyMode: 'managed' }, { ...changed, stickyIP: true })],
    ],
    [
      'violated',
      'what does not belong to a proxy',
      [baseline(), update({ proxyType: 'basic' }, { proxyType: 'basic', extraStealth: true })],
    ],
    [
      'violated',
      'a value that the refused update did not send',
      [baseline(), refusedUpdate(changed), baseline({ description: 'Other.' })],
    ],
    [
      'violated',
      'what a duplication that was refused cannot have done',
      [baseline(), duplicate({}, {}, { status: 403 }), baseline(changed)],
    ],
    [
      ['satisfied', 'satisfied', 'violated'],
      'back at what it was before an update that is long over',
      [
        baseline(),
        update(changed, changed),
        update({ name: 'B' }, { ...changed, name: 'B' }),
        update({}, { name: 'B' }),
      ],
    ],
    ['ignored', 'partly a recording', [recorded(baseline()), update(changed, { ...changed, name: 'X' })]],
    ['ignored', 'partly of the suite', [baseline(), recorded(update(changed, { ...changed, name: 'X' }))]],
  ],
} satisfies Tables;
