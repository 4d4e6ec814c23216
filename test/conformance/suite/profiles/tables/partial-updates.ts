import { ofFlags } from '../../../../../deviations/flags.js';
import { couplings, derivedFlags, openFlags } from '../../../../../generated/flags.js';
import type { Sketch } from '../../../../support/evidence.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
import {
  baseline,
  changed,
  cookie,
  customProxy,
  duplicate,
  extensions,
  flags,
  flagsOfProxy,
  idOf,
  known,
  refusedUpdate,
  setIds,
  setWords,
  update,
} from '../../../../support/profiles.js';
import { cut, recorded } from '../../../../support/runs.js';
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

/** Updates at the same time, one of which is lost. */
export const lostUpdates = ofFlags(
  [2, 4],
  (flag): Table => ({
    'satisfied, satisfied, violated: two at the same time, and one is lost': {
      given: [...atOnce(flag), after({ description: 'Signs in.', [flag]: true })],
      says: ['description "B", whatever was done at the same time', 'actual: "Signs in."'],
    },
  }),
);

export const partialUpdates = {
  'update-is-partial': {
    'inconclusive: a name that the run did not send, of a profile that it did not make': [
      baseline({ name: 'Portal' }, { mark: { step: 'scratch-profile' } }),
      baseline({ name: 'Renamed' }),
    ],
    'satisfied, satisfied, satisfied, violated: one that it sent, of such a profile': [
      baseline({ name: 'Portal' }, { mark: { step: 'scratch-profile' } }),
      update({ name: 'Renamed' }, { name: 'Renamed' }),
      update({ name: 'Portal' }, { name: 'Portal' }),
      ...called('Portal', 'Renamed'),
    ],
    'violated: a name that grows': called('Portal', 'Portal (1)', 'Portal (1) (2)'),
    'satisfied, satisfied, violated, violated: names made from those of requests': [
      ...called('Portal'),
      update({ name: 'Shop of acme' }, { name: 'Shop of acme' }),
      ...called('Shop of acme', 'ACME SHOP', 'acme: shop'),
    ],
    'violated: a changed proxy mode of any name': {
      given: [baseline({ mode: 'managed' }), update(changed, { ...changed, mode: 'none' })],
      says: 'mode "managed"',
    },
    'satisfied: a proxy mode that changes with the proxy': [
      baseline({ mode: 'managed' }),
      update(customProxy, { ...customProxy, mode: 'none' }),
    ],
    'violated: a description without its sentence': [baseline(), baseline({ description: 'Not set' })],
    'satisfied: two updates of one setting at the same time: either may be last': [
      first(),
      at(2000, { description: 'B' }),
      at(2100, { description: 'C' }),
      after({ description: 'B' }),
    ],
    'satisfied: an answer without a required field: the schema judges that': [
      baseline(),
      update(changed, { ...changed, extensionIds: undefined }),
    ],
    'violated: cookies emptied by an update that adds none': [
      baseline({ cookies: [cookie('a')] }),
      update({ cookiesToAdd: [] }),
    ],
    'satisfied, satisfied, violated: a deleted cookie back, beside a new one': [
      baseline(),
      update({ cookiesToAdd: [cookie('a')] }, { cookies: [known(cookie('a'), 'a')] }),
      update({ cookiesToDelete: [idOf('a')] }),
      update(changed, { ...changed, cookies: [known(cookie('a'), 'a'), cookie('b')] }),
    ],
    'satisfied: an expired cookie': [
      baseline({ cookies: [cookie('a', { expiry: '1969-12-31T00:00:00Z' }), cookie('b')] }),
      update(changed, { ...changed, cookies: [cookie('b')] }),
    ],
    'satisfied: an effect of a duplication: duplicate-is-new judges that': [baseline(), duplicate(), baseline(changed)],
    'ignored: an update without an answer in between: it may have had an effect': [
      baseline(),
      unanswered,
      baseline(changed),
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
    'satisfied: no extensions, as in the request': [baseline(extensions('a')), update({ extensionIds: [] })],
    'violated: a value that the refused update did not send': [
      baseline(),
      refusedUpdate(changed),
      baseline({ description: 'Other.' }),
    ],
    'violated: an effect that a refused duplication cannot have': [
      baseline(),
      duplicate({}, {}, { status: 403 }),
      baseline(changed),
    ],
    'ignored: partly a recording': [recorded(baseline()), update(changed, { ...changed, name: 'X' })],
    'ignored: partly of the suite': [baseline(), recorded(update(changed, { ...changed, name: 'X' }))],
    ...coupledFlags['update-is-partial'],
    ...ofFlags(
      [2, 4],
      (flag, other): Table => ({
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
        'ignored: the same, in parallel with others': [
          first(),
          at(2000, { description: 'B' }),
          { ...at(2100, { name: 'C' }), status: 504 },
          at(2200, { [flag]: true }),
          after({ name: 'C', description: 'B', [flag]: true }),
        ],
        'ignored: two at the same time, and one is lost, as update-applies says': [
          ...atOnce(flag),
          after({ description: 'Signs in.', [flag]: true }),
        ],
        'violated: the same, where it was not seen before what another client may have set': {
          given: [...atOnce(flag).slice(1), after({ description: 'Signs in.', [flag]: true })],
          says: ['description "B", whatever was done at the same time', 'actual: "Signs in."'],
        },
        'violated: another setting changed after two at the same time': {
          given: [...atOnce(flag), after({ description: 'B', [flag]: true, name: 'C' })],
          says: 'name "Portal"',
        },
        'satisfied, satisfied: the next answer has the change made beside it': [
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
          says: 'expected: "a" among cookies',
        },
        'satisfied: a cookie that was added at the same time and deleted by the next update': [
          first(),
          update(
            { cookiesToAdd: [cookie('a')] },
            { cookies: [known(cookie('a'), 'a')] },
            { at: 2000, durationMs: 500 },
          ),
          at(2100, { [flag]: true }),
          update({ cookiesToDelete: [idOf('a')] }, { [flag]: true }, { at: 4000 }),
        ],
      }),
    ),
  },
} satisfies Tables;
