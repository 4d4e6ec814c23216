import { ofFlags } from '../../../../../deviations/flags.js';
import { openFlags } from '../../../../../generated/flags.js';
import { ids, type Sketch } from '../../../../support/evidence.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
import {
  acme,
  baseline,
  changed,
  cookie,
  credential,
  extensions,
  flags,
  prefix,
  refusedUpdate,
  setIds,
  setWords,
  update,
} from '../../../../support/profiles.js';
import { another, organization, recorded } from '../../../../support/runs.js';
import { coupledFlags } from './coupled-flags.js';
import { lostUpdates } from './partial-updates.js';

const untyped = { probe: { rule: 'update-body-is-typed', fault: '', controls: [] } } as const;

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
const setThen = (flag: string, stays: boolean) => [
  update({ [flag]: true }, { [flag]: true }),
  update({}, { [flag]: stays }),
  update({ [flag]: false }, { [flag]: false }),
  baseline({ [flag]: false }),
];

export const updates = {
  'update-applies': {
    'satisfied, violated: a name refused that only a profile of another organization has': {
      given: [baseline(), there(mine), refusedUpdate(mine), named(next)],
      says: ['which no other profile of the organization has', '400'],
    },
    'satisfied, satisfied, satisfied, violated: a name refused that the profile had before': [
      named(mine),
      named(other),
      baseline(other),
      baseline(other),
      refusedUpdate(mine),
      named(next),
    ],
    'satisfied: a name refused that the profile had a moment ago': [
      named(mine),
      named(other),
      refusedUpdate(mine),
      named(next),
    ],
    'satisfied: a name refused that another profile of the organization has as well': [
      baseline(),
      there(mine),
      there({ ...mine, id: ids.pool, organizationId: organization }, ids.pool),
      refusedUpdate(mine),
      named(next),
    ],
    'ignored: every name refused': [baseline(), there(mine), refusedUpdate(mine), refusedUpdate(next)],
    'satisfied: a name refused with more than that': [
      baseline(),
      there(mine),
      refusedUpdate({ ...mine, description: 'A' }),
      named(next),
    ],
    'violated, violated: two lists together, refused each time, but accepted one by one': {
      given: [update(goes), refusedUpdate(both), update(comes), refusedUpdate(both)],
      says: 'cookiesToAdd and cookiesToDelete taken together',
    },
    'ignored: two lists together, beside a third that is never accepted': [
      update(goes),
      ...[1, 2].flatMap(() => [refusedUpdate({ ...both, credentialsToDelete: [ids.pool] }), update(comes)]),
    ],
    'ignored: two lists together, refused once': [update(goes), refusedUpdate(both), update(comes)],
    'ignored: two lists together, refused for lack of space': [
      update(comes),
      update(goes),
      refusedUpdate(both),
      refusedUpdate(both),
    ],
    'ignored: two lists together, refused alternately': [
      update(goes),
      refusedUpdate(both),
      update(comes),
      update(both),
      refusedUpdate(both),
    ],
    'satisfied: as in the request, in a recording': [recorded(update(changed, changed))],
    'satisfied: the same extensions in another order and case': [
      update(extensions('a', 'b'), { extensionIds: extensions('B', 'A').extensionIds.map((id) => id.toUpperCase()) }),
    ],
    'violated: missing': {
      given: [baseline(), update(changed)],
      says: ['description "Changed.", as sent', 'actual: "Signs in."'],
    },
    'violated: an extension too many': [update(extensions('a'), extensions('a', 'b'))],
    'satisfied, violated: the inbox missing at the next update': {
      given: [baseline(), update(prefix, acme), update({}, prefix)],
      says: 'inboxEmail',
    },
    ...all(
      openFlags.map(
        ({ flag }): Table => ({
          [`ignored: ${flag}, which not every profile or everybody may have`]: [baseline(), update({ [flag]: true })],
          [`ignored: ${flag}, shown and dropped again`]: [
            baseline(),
            update({ [flag]: true }, { [flag]: true }),
            baseline(),
          ],
        }),
      ),
    ),
    ...all(setWords.map((one) => ({ [`ignored: ${Object.keys(one)} that is left out`]: [baseline(), update(one)] }))),
    'satisfied, satisfied: a prefix that only the inbox shows later': [
      baseline(),
      update(prefix, acme),
      update(changed, { ...changed, inboxEmail: acme.inboxEmail }),
    ],
    'ignored: an empty prefix': [baseline(acme), update({ inboxEmailPrefix: '' })],
    ...all(
      ['half a \ud800', 'null \0'].map((description) => ({
        [`ignored: ${JSON.stringify(description)}, which not every store takes`]: [
          baseline(),
          update({ description }, { description: 'put right' }),
        ],
      })),
    ),
    'ignored: extensions, which may be deleted': [baseline(), refusedUpdate({ extensionIds: [ids.pool] })],
    'ignored: nothing, which may be refused': [baseline(), refusedUpdate({})],
    'satisfied, satisfied: cleared whenever it is not sent: update-is-partial judges that': [
      baseline(),
      update({ name: 'B' }, { name: 'B', description: '' }),
      update(changed, { ...changed, name: 'B' }),
      update({}, { name: 'B', description: '' }),
    ],
    ...all(
      setIds.map((one): Table => {
        const other = Object.fromEntries(Object.keys(one).map((field) => [field, ids.profile]));
        return {
          [`satisfied: ${Object.keys(one)}`]: [update(one, one)],
          [`violated: another ${Object.keys(one)}`]: [update(one, other)],
          [`ignored: ${Object.keys(one)} that is left out`]: [update(one)],
        };
      }),
    ),
    'violated: a value beside an empty prefix': [update({ inboxEmailPrefix: '', ...changed })],
    'ignored: a cookie missing at the next update: cookies-are-added judges that': [
      baseline(),
      update({ cookiesToAdd: [cookie('a')] }, { cookies: [cookie('a')] }),
      baseline(),
    ],
    'ignored: a credential missing at the next update': [
      baseline(),
      update({ credentialsToAdd: [credential] }, { credentials: [credential] }),
      baseline(),
    ],
    ...all(flags.map((flag) => ({ [`violated: ${flag} that stays off`]: [baseline(), update({ [flag]: true })] }))),
    ...coupledFlags['update-applies'],
    ...lostUpdates,
    ...ofFlags(
      [2],
      (flag): Table => ({
        'satisfied, violated, satisfied, violated: a flag that is set back each time': [
          baseline({ [flag]: false }),
          update({ [flag]: true }, { [flag]: true }),
          update({}, { [flag]: false }),
          update({ [flag]: true }, { [flag]: true }),
          update({}, { [flag]: false }),
        ],
        'satisfied, satisfied, satisfied, satisfied, satisfied, satisfied, satisfied, violated, satisfied, violated, satisfied, violated: a flag that is set back every second time, and at no other':
          [
            ...[true, true, true, false, false, false].flatMap((stays) => setThen(flag, stays)),
            ...Array.from({ length: 12 }, () => baseline({ [flag]: false })),
          ],
        'ignored: a value of the wrong type, accepted and corrected': [
          baseline(),
          update({ [flag]: 'yes' }, { [flag]: true }, { mark: untyped }),
        ],
        'violated: refused, although it has no condition': {
          given: [baseline(), refusedUpdate({ [flag]: true, description: 'x' })],
          says: [`${flag}, description taken`, '400 with'],
        },
        'inconclusive: a missing permission': [baseline(), refusedUpdate({ [flag]: true }, { status: 403 })],
      }),
    ),
  },
} satisfies Tables;
