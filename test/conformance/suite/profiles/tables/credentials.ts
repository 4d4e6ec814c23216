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
    'satisfied, violated: beside one that loses its data, where that of another stays visible': [
      visible,
      update(addCredential, { credentials: [empty(one), two, known(credential('three'), '3')] }),
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
    'violated: another one as well': [baseline({ credentials: [one, two] }), update(removeCredential('2'))],
    'ignored: one that did not exist': [baseline(), update(removeCredential('1'))],
  },

  'credentials-update-ignores-case': {
    'satisfied: found, with its data in clear': [
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
    'satisfied: with a new id': [
      baseline({ credentials: [one] }),
      update(rename('ONE'), { credentials: [known(credential('ONE'), '3')] }),
    ],
    'violated: unchanged data, in clear': {
      given: [visible, update(rename('ONE'), { credentials: [one, two] })],
      says: 'with the data sent',
    },
    'violated: not found': {
      given: [baseline({ credentials: [one] }), refusedUpdate(rename('ONE'))],
      says: ['"One" found as "ONE"', '400'],
    },
    'ignored: the same case': [baseline({ credentials: [one] }), update(rename('One'), { credentials: [one] })],
    'ignored: a name that no credential has': [baseline({ credentials: [one] }), refusedUpdate(rename('three'))],
    'ignored: a key without the permission': [
      baseline({ credentials: [one] }),
      refusedUpdate(rename('ONE'), { status: 403 }),
    ],
    'ignored: a recording': [baseline({ credentials: [one] }), update(rename('ONE'))].map(recorded),
    'satisfied: found, while another is added': [
      baseline({ credentials: [one] }),
      update({ ...rename('ONE'), ...addCredential }, { credentials: [one, credential('three')] }),
    ],
    'ignored: a name that no credential has, accepted': [
      baseline({ credentials: [one] }),
      update(rename('three'), { credentials: [one] }),
    ],
  },
} satisfies Tables;
