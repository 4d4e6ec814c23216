import { all, type Tables } from '../../../../support/judge-table.js';
import { baseline, idOf, known, refusedUpdate, update } from '../../../../support/profiles.js';
import { recorded } from '../../../../support/runs.js';

const credential = (name: string, data = 'secret') => ({ name, data });
const one = known(credential('One'), '1');
const two = known(credential('two'), '2');
const masked = (item: object) => ({ ...item, data: '****' });
const empty = (item: object) => ({ ...item, data: '' });
/** A long one that is shown so, beside a short one that is shown as it was sent. */
const long = (data: string) =>
  update(
    { credentialsToAdd: [credential('long', 'correct horse battery staple'), credential('short', 'pin')] },
    { credentials: [credential('long', data), credential('short', 'pin')] },
  );
const addCredential = { credentialsToAdd: [credential('three')] };
const removeCredential = (...digits: string[]) => ({ credentialsToDelete: digits.map(idOf) });
const rename = (name: string, data = 'changed') => ({ credentialsToUpdate: [{ name, data }] });
/** A credential whose data came back as it was sent. */
const visible = update({ credentialsToAdd: [credential('One'), credential('two')] }, { credentials: [one, two] });

export const credentials = {
  'credentials-are-added': {
    'satisfied: among the others': [
      baseline({ credentials: [one] }),
      update(addCredential, { credentials: [one, known(credential('three'), '3')] }),
    ],
    'satisfied: in the place of one that differs by case': [
      baseline({ credentials: [one] }),
      update({ credentialsToAdd: [credential('ONE')] }, { credentials: [credential('ONE')] }),
    ],
    'violated: missing': { given: [recorded(update(addCredential))], says: '"three" among credentials' },
    'violated: instead of the others': [
      baseline({ credentials: [one] }),
      update(addCredential, { credentials: [credential('three')] }),
    ],
    'satisfied, violated: gone at the next update': [
      baseline(),
      update(addCredential, { credentials: [credential('three')] }),
      baseline(),
    ],
    'satisfied, satisfied: beside one that is masked from then on': [
      visible,
      update(addCredential, { credentials: [masked(one), two, known(credential('three'), '3')] }),
    ],
    'satisfied, satisfied: beside those whose data nothing shows any longer': [
      visible,
      update(addCredential, { credentials: [empty(one), empty(two), known(credential('three'), '3')] }),
    ],
    'satisfied, violated: beside one that loses its data, where that of another is shown on': [
      visible,
      update(addCredential, { credentials: [empty(one), two, known(credential('three'), '3')] }),
    ],
    'satisfied, violated: beside one that gets other data': [
      visible,
      update(addCredential, { credentials: [{ ...one, data: 'other' }, two, known(credential('three'), '3')] }),
    ],
    ...all(
      (['corr…', 'corr...aple', '…aple'] as const).map((data) => ({
        [`satisfied: shown but for a part: ${data}`]: [long(data)],
      })),
    ),
    ...all(
      (['corr… horse', 'correct horse battery…', 'wron…', 'corr'] as const).map((data) => ({
        [`violated: shown otherwise: ${data}`]: [long(data)],
      })),
    ),
    'ignored: none added': [update({}, { credentials: [one] })],
  },

  'credentials-are-deleted': {
    'satisfied: one of two': [
      baseline({ credentials: [one, two] }),
      update(removeCredential('2'), { credentials: [masked(one)] }),
    ],
    'violated: still there': {
      given: [baseline({ credentials: [one] }), update(removeCredential('1'), { credentials: [one] })],
      says: '"One" deleted',
    },
    'satisfied: while the others are masked from then on': [
      visible,
      update(removeCredential('2'), { credentials: [masked(one)] }),
    ],
    'violated: another one as well': [baseline({ credentials: [one, two] }), update(removeCredential('2'))],
    'satisfied, violated: back at the next update': [
      baseline({ credentials: [one] }),
      update(removeCredential('1')),
      baseline({ credentials: [one] }),
    ],
    'ignored: one that was not there': [baseline(), update(removeCredential('1'))],
  },

  'credentials-update-ignores-case': {
    'satisfied: found, and its data shown': [
      visible,
      update(rename('ONE'), { credentials: [{ ...one, data: 'changed' }, two] }),
    ],
    'violated: another one added': {
      given: [
        baseline({ credentials: [one] }),
        update(rename('ONE'), { credentials: [one, known(credential('ONE'), '3')] }),
      ],
      says: ['"One" updated, and none added', '2 of that name'],
    },
    'satisfied: given a new id': [
      baseline({ credentials: [one] }),
      update(rename('ONE'), { credentials: [known(credential('ONE'), '3')] }),
    ],
    'violated: gone': [baseline({ credentials: [one] }), update(rename('ONE'))],
    'violated: another one gone': [
      baseline({ credentials: [one, two] }),
      update(rename('ONE'), { credentials: [one] }),
    ],
    'satisfied: found, and masked, though its data was shown at first': [
      visible,
      update(rename('ONE'), { credentials: [masked(one), two] }),
    ],
    'violated: data that stays, where it is shown': {
      given: [visible, update(rename('ONE'), { credentials: [one, two] })],
      says: 'with the data sent',
    },
    'violated: not found': {
      given: [baseline({ credentials: [one] }), refusedUpdate(rename('ONE'))],
      says: ['"One" found as "ONE"', '400'],
    },
    'ignored: the same case': [baseline({ credentials: [one] }), update(rename('One'), { credentials: [one] })],
    'ignored: a name that no credential has': [baseline({ credentials: [one] }), refusedUpdate(rename('three'))],
    'ignored: a key that may not': [baseline({ credentials: [one] }), refusedUpdate(rename('ONE'), { status: 403 })],
    'ignored: a recording': [baseline({ credentials: [one] }), update(rename('ONE'))].map(recorded),
    'ignored: none updated': [baseline({ credentials: [one] }), update({}, { credentials: [one, two] })],
    'violated: not found, though it is still there': [
      baseline({ credentials: [one] }),
      refusedUpdate(rename('ONE')),
      baseline({ credentials: [one] }),
    ],
    'satisfied: found, while another is added': [
      baseline({ credentials: [one] }),
      update({ ...rename('ONE'), ...addCredential }, { credentials: [one, credential('three')] }),
    ],
    'satisfied: found, while another is deleted': [
      baseline({ credentials: [one, two] }),
      update({ ...rename('ONE'), ...removeCredential('2') }, { credentials: [one] }),
    ],
    'ignored: a name that no credential has, taken': [
      baseline({ credentials: [one] }),
      update(rename('three'), { credentials: [one] }),
    ],
    'ignored: a probe': [
      baseline({ credentials: [one] }),
      refusedUpdate(rename('ONE'), { mark: { probe: { rule: 'update-body-is-typed', fault: '', twins: [] } } }),
    ],
  },
} satisfies Tables;
