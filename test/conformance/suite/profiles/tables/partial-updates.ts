import { ofFlags } from '../../../../../deviations/flags.js';
import { couplings, derivedFlags, openFlags } from '../../../../../generated/flags.js';
import type { Sketch } from '../../../../support/evidence.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
import {
  acme,
  baseline,
  changed,
  cookie,
  credential,
  customProxy,
  duplicate,
  extensions,
  flags,
  flagsOfProxy,
  idOf,
  known,
  prefix,
  refusedUpdate,
  setIds,
  setWords,
  update,
} from '../../../../support/profiles.js';
import { another, cut, recorded } from '../../../../support/runs.js';
import { asText } from '../../../../support/sketches.js';
import { coupledFlags } from './coupled-flags.js';

const unanswered: Sketch = { operation: 'updateProfile', sent: changed, mark: {}, ...cut };

const proxies = [...setWords, ...setIds, customProxy];

/** Updates at the same time, each answered with nothing but its own change. */
const at = (ms: number, sent: object, more: Partial<Sketch> = {}): Sketch =>
  update(sent, sent, { at: ms, durationMs: 500, ...more });
const first = () => baseline({}, { at: 1000 });
const atOnce = (flag: string) => [first(), at(2000, { description: 'B' }), at(2100, { [flag]: true })];
const after = (shown: object): Sketch => baseline(shown, { at: 4000 });

const called = (...names: string[]): Sketch[] => names.map((name) => baseline({ name }));
const turned = (flag: string, ...values: boolean[]): Sketch[] => values.map((isOn) => baseline({ [flag]: isOn }));

export const partialUpdates = {
  'update-is-partial': {
    'satisfied: a name that somebody else changes again and again': called('Portal', 'Renamed 1', 'Renamed 2'),
    'satisfied: the same, put back by the run in between': [
      ...called('Renamed 1', 'Renamed 2', 'Renamed 3'),
      update({ name: 'Renamed 1' }),
      ...called('Renamed 4'),
    ],
    'violated, satisfied: a name that becomes the same each time': called('Portal', 'Unnamed', 'Unnamed'),
    'violated: a name that grows': called('Portal', 'Portal (1)', 'Portal (1) (2)'),
    'satisfied, satisfied, violated, violated: names made of those that were sent': [
      ...called('Portal'),
      update({ name: 'Shop of acme' }, { name: 'Shop of acme' }),
      ...called('Shop of acme', 'ACME SHOP', 'acme: shop'),
    ],
    'satisfied: credentials that somebody else adds, and takes away again': [[], ['a'], ['a', 'b'], ['b', 'c'], []].map(
      (names) => baseline({ credentials: names.map((name) => known({ name, data: 'x' }, name)) }),
    ),
    'ignored: what an update may have changed whose body is not labelled as JSON': [
      baseline(),
      asText(update(changed, changed)),
      baseline(changed),
    ],
    'violated: a proxy mode, whatever it is called, that is otherwise': {
      given: [baseline({ mode: 'managed' }), update(changed, { ...changed, mode: 'none' })],
      says: 'mode "managed"',
    },
    'satisfied: a proxy mode that goes with the proxy': [
      baseline({ mode: 'managed' }),
      update(customProxy, { ...customProxy, mode: 'none' }),
    ],
    'satisfied: a description that somebody else never stops changing, after it was put back': [
      baseline({ description: 'Edited by another 1' }),
      update(changed, changed),
      update({ description: 'Edited by another 1' }, { description: 'Edited by another 1' }),
      baseline({ description: 'Edited by another 2' }),
    ],
    'violated: a description that has no sentence in its place': [baseline(), baseline({ description: 'Not set' })],
    'satisfied: a field of the service': [
      baseline({ revision: 'r1' }),
      update(changed, { ...changed, revision: 'r2' }),
    ],
    'satisfied: two to one setting at the same time: either may be last': [
      first(),
      at(2000, { description: 'B' }),
      at(2100, { description: 'C' }),
      after({ description: 'B' }),
    ],
    'violated: two to one setting at the same time: neither is there': [
      first(),
      at(2000, { description: 'B' }),
      at(2100, { description: 'C' }),
      after({ description: 'D' }),
    ],
    'satisfied: nothing else changed': [baseline(), update(changed, changed)],
    'satisfied: what is sent need not be shown as sent': [baseline(), update({ name: 'B' }, { name: 'b' })],
    'satisfied: the inbox with its prefix': [baseline(), update(prefix, acme)],
    'satisfied: what belongs to a proxy': [baseline(), update(customProxy, { ...customProxy, ...flagsOfProxy })],
    'satisfied: what belongs to a proxy mode, whatever its name': [
      baseline(customProxy),
      update({ proxyMode: 'none' }),
    ],
    'satisfied: the same in another order': [
      baseline(extensions('a', 'b')),
      update(changed, { ...changed, ...extensions('b', 'a') }),
    ],
    'satisfied: cookies in another order, their fields too': [
      baseline({ cookies: [cookie('a'), cookie('b')] }),
      update(changed, {
        ...changed,
        cookies: [cookie('b'), Object.fromEntries(Object.entries(cookie('a')).reverse())],
      }),
    ],
    'satisfied: credentials masked otherwise': [
      baseline({ credentials: [credential] }),
      update(changed, { ...changed, credentials: [{ ...credential, data: '••' }] }),
    ],
    'satisfied: a field that the contract does not know': [
      baseline({ tier: 'none' }),
      update(changed, { ...changed, tier: 'gold' }),
    ],
    'violated: a proxy mode that is none no more': {
      given: [baseline({ mode: 'none' }), update(changed, { ...changed, mode: 'managed' })],
      says: 'mode "none"',
    },
    'satisfied: an answer that lacks a required field: the schema says so': [
      baseline(),
      update(changed, { ...changed, extensionIds: undefined }),
    ],
    'violated: a list emptied': {
      given: [baseline({ cookies: [cookie('a')] }), update(changed, changed)],
      says: 'cookies',
    },
    'violated: cookies emptied by an update that adds none': [
      baseline({ cookies: [cookie('a')] }),
      update({ cookiesToAdd: [] }),
    ],
    'satisfied, violated: a cookie changed that an update added': [
      baseline(),
      update({ cookiesToAdd: [cookie('a')] }, { cookies: [cookie('a')] }),
      update(changed, { ...changed, cookies: [cookie('a', { value: 'b' })] }),
    ],
    'satisfied, satisfied, violated: a cookie back that an update deleted, beside one that came': [
      baseline(),
      update({ cookiesToAdd: [cookie('a')] }, { cookies: [known(cookie('a'), 'a')] }),
      update({ cookiesToDelete: [idOf('a')] }),
      update(changed, { ...changed, cookies: [known(cookie('a'), 'a'), cookie('b')] }),
    ],
    'satisfied: cookies that came and were renewed: a browser may have used the profile': [
      baseline({ cookies: [cookie('a')] }),
      update(changed, { ...changed, cookies: [cookie('a', { value: 'b' }), cookie('c')] }),
    ],
    'satisfied: a cookie gone whose time was over': [
      baseline({ cookies: [cookie('a', { expiry: '1969-12-31T00:00:00Z' }), cookie('b')] }),
      update(changed, { ...changed, cookies: [cookie('b')] }),
    ],
    'violated: a cookie gone whose time was not over': [
      baseline({ cookies: [cookie('a', { expiry: '2040-01-01T00:00:00Z' })] }),
      update(changed, changed),
    ],
    'violated: a credential gone': [
      baseline({ credentials: [credential] }),
      update({ cookiesToAdd: [cookie('a')] }, { cookies: [cookie('a')] }),
    ],
    'violated: a prefix gone': [baseline(acme), update(changed, { ...changed })],
    'violated: extensions gone': [baseline(extensions('a')), update(changed, changed)],
    'satisfied, violated, satisfied: one of three': [
      baseline(),
      update(changed, changed),
      update({}, { ...changed, name: 'X' }),
      update({}, { ...changed, name: 'X' }),
    ],
    'satisfied, satisfied: what a refused update did: update-is-atomic speaks of it': [
      baseline(),
      refusedUpdate(changed),
      baseline(changed),
      update({}, changed),
    ],
    'satisfied, satisfied: what was lost again: update-applies speaks of it': [
      baseline(),
      update(changed, changed),
      baseline(),
    ],
    'satisfied: what a duplication did: duplicate-is-new speaks of it': [baseline(), duplicate(), baseline(changed)],
    'ignored: updates at one time': [
      baseline({}, { at: 0, durationMs: 50 }),
      update(changed, { ...changed, name: 'X' }, { at: 20 }),
    ],
    'ignored: an update without an answer between: it may have been done': [baseline(), unanswered, baseline(changed)],
    'ignored: an update that failed between: it may have been done': [
      baseline(),
      refusedUpdate(changed, { status: 500 }),
      baseline(changed),
    ],
    'ignored: another profile': [
      baseline(),
      update({}, { id: another.profile, name: 'X' }, { resource: another.profile }),
    ],
    'violated, satisfied, violated: cleared whenever it is not sent': [
      baseline(),
      update({ name: 'B' }, { name: 'B', description: '' }),
      update(changed, { ...changed, name: 'B' }),
      update({}, { name: 'B', description: '' }),
    ],
    'violated: what was just set, of a profile that was not seen before': [
      update(changed, changed),
      baseline({ description: '' }),
    ],
    ...all(
      [...flags, ...couplings, ...openFlags, ...derivedFlags]
        .map((one) => (typeof one === 'string' ? one : one.flag))
        .map((flag) => ({ [`violated: ${flag} changed`]: [baseline(), update({}, { [flag]: true })] })),
    ),
    ...all(proxies.map((one) => ({ [`violated: ${Object.keys(one)} gone`]: [baseline(one), update({})] }))),
    ...all(
      proxies.map((one) => ({
        [`satisfied: what comes and goes with ${Object.keys(one)}`]: [
          baseline(),
          update(one, { ...flagsOfProxy, ...one }),
        ],
      })),
    ),
    'satisfied: no extensions, as sent': [baseline(extensions('a')), update({ extensionIds: [] })],
    'satisfied: credentials with their update': [
      baseline({ credentials: [credential] }),
      update({ credentialsToUpdate: [credential] }),
    ],
    'satisfied: what belongs to a proxy mode, sent beside others': [
      baseline(),
      update({ ...changed, proxyMode: 'managed' }, { ...changed, ...flagsOfProxy }),
    ],
    'violated: a value that the refused update did not send': [
      baseline(),
      refusedUpdate(changed),
      baseline({ description: 'Other.' }),
    ],
    'violated: what a duplication that was refused cannot have done': [
      baseline(),
      duplicate({}, {}, { status: 403 }),
      baseline(changed),
    ],
    'satisfied, satisfied, violated: back at what it was before an update that is long over': [
      baseline(),
      update(changed, changed),
      update({ name: 'B' }, { ...changed, name: 'B' }),
      update({}, { name: 'B' }),
    ],
    'ignored: partly a recording': [recorded(baseline()), update(changed, { ...changed, name: 'X' })],
    'ignored: partly of the suite': [baseline(), recorded(update(changed, { ...changed, name: 'X' }))],
    ...coupledFlags['update-is-partial'],
    ...all(
      ofFlags(
        [2, 4],
        (flag, other): Table => ({
          'satisfied, satisfied, violated: another setting, where somebody else changes the name': {
            given: [...called('Portal', 'Renamed 1', 'Renamed 2'), baseline({ name: 'Renamed 2', [flag]: true })],
            says: `${flag} false`,
          },
          'satisfied: a flag that somebody else turns now and then': turned(flag, false, true, true, false, true),
          'violated: a flag that is turned at every update': turned(flag, false, true, false, true),
          'satisfied, violated, satisfied: a flag that is turned off, and never on': turned(
            flag,
            true,
            true,
            false,
            false,
          ),
          'satisfied, violated, violated: a flag that follows another one': [
            ...turned(flag, false, false),
            update({ [other]: true }, { [other]: true, [flag]: true }),
            update({ [other]: false }),
          ],
          'ignored: the same, under way together with others': [
            first(),
            at(2000, { description: 'B' }),
            asText(at(2100, { name: 'C' })),
            at(2200, { [flag]: true }),
            after({ name: 'C', description: 'B', [flag]: true }),
          ],
          'satisfied: two at the same time, both there afterwards': [
            ...atOnce(flag),
            after({ description: 'B', [flag]: true }),
          ],
          'violated: two at the same time, of which one is lost': {
            given: [...atOnce(flag), after({ description: 'Signs in.', [flag]: true })],
            says: ['description "B", whatever was done at the same time', 'seen "Signs in."'],
          },
          'violated: another setting is otherwise after two at the same time': {
            given: [...atOnce(flag), after({ description: 'B', [flag]: true, name: 'C' })],
            says: 'name "Portal"',
          },
          'satisfied: it changes where somebody else writes a description': [
            baseline(),
            baseline({ description: 'Edited by another', [flag]: true }),
          ],
          'satisfied, satisfied: the next answer shows what is changed beside it': [
            ...atOnce(flag),
            update({ [flag]: true }, { [flag]: true, description: 'C' }, { at: 4000, durationMs: 500 }),
            at(4100, { description: 'C' }),
            baseline({ [flag]: true, description: 'C' }, { at: 6000 }),
          ],
          'violated: a cookie that was added at the same time is lost': {
            given: [
              first(),
              update({ cookiesToAdd: [cookie('a')] }, { cookies: [cookie('a')] }, { at: 2000, durationMs: 500 }),
              at(2100, { [flag]: true }),
              after({ [flag]: true }),
            ],
            says: 'required "a" among cookies',
          },
          'satisfied: a cookie that was added at the same time is gone where the next update deletes it': [
            first(),
            update(
              { cookiesToAdd: [cookie('a')] },
              { cookies: [known(cookie('a'), 'a')] },
              { at: 2000, durationMs: 500 },
            ),
            at(2100, { [flag]: true }),
            update({ cookiesToDelete: [idOf('a')] }, { [flag]: true }, { at: 4000 }),
          ],
          'satisfied: one of two at the same time was refused, and changed nothing': [
            first(),
            at(2000, { description: 'B' }),
            at(2100, { [flag]: true }),
            at(2200, { name: 'C' }, { status: 409, body: { code: 409, message: 'Busy.' } }),
            after({ description: 'B', [flag]: true }),
          ],
          'ignored: one of two at the same time was not answered: nobody knows whether it was made': [
            first(),
            at(2000, { description: 'B' }),
            at(2100, { [flag]: true }, cut),
            after({}),
          ],
          'satisfied: an answer that shows what another one at the same time changed': [
            first(),
            update({ description: 'B' }, { description: 'B', [flag]: true }, { at: 2000, durationMs: 500 }),
            at(2050, { name: 'C' }, { status: 409, body: { code: 409, message: 'Busy.' } }),
            at(2100, { [flag]: true }),
            after({ description: 'B', [flag]: true }),
          ],
          'violated: another setting changed': {
            given: [baseline(), update(changed, { ...changed, [flag]: true })],
            says: [`${flag} false, as it was not sent`, 'seen true'],
          },
          'ignored: a recording: somebody may have changed it': [
            recorded(baseline()),
            recorded(update(changed, { ...changed, [flag]: true })),
          ],
          'violated: what does not belong to a proxy': [
            baseline(),
            update(customProxy, { ...customProxy, [flag]: true }),
          ],
        }),
      ),
    ),
  },
} satisfies Tables;
