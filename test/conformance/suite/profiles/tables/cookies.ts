import type { Tables } from '../../../../support/judge-table.js';
import { baseline, cookie, idOf, known, refusedUpdate, update } from '../../../../support/profiles.js';
import { recorded } from '../../../../support/runs.js';

const a = known(cookie('a'), 'a');
const b = known(cookie('b'), 'b');
const c = cookie('c');
const add = { cookiesToAdd: [c] };
const remove = (...digits: string[]) => ({ cookiesToDelete: digits.map(idOf) });

const lasting = { ...c, expiry: '2040-01-01T00:00:00Z' };

export const cookies = {
  'cookie-expiry-is-shown': {
    'satisfied: capped': [
      update({ cookiesToAdd: [lasting] }, { cookies: [known({ ...c, expiry: '2027-01-01T00:00:00Z' }, 'c')] }),
    ],
    'violated: none': {
      given: [update({ cookiesToAdd: [lasting] }, { cookies: [known(c, 'c')] })],
      says: 'with its expiry, "2040-01-01T00:00:00Z"',
    },
    'satisfied: none of another cookie of that name': [
      update({ cookiesToAdd: [lasting] }, { cookies: [known(c, 'c'), known(lasting, 'd')] }),
    ],
    'ignored: a cookie without': [update(add, { cookies: [known(c, 'c')] })],
    'ignored: a cookie that does not exist': [update({ cookiesToAdd: [lasting] }, { cookies: [] })],
  },
  'cookies-are-added': {
    'satisfied: its value masked': [update(add, { cookies: [known(cookie('c', { value: '••••' }), 'c')] })],
    'violated, satisfied: one of two twice, although an item of another update is there once': [
      baseline({ cookies: [] }),
      update(
        { cookiesToAdd: [c, cookie('d')] },
        { cookies: [c, cookie('d'), c].map((one, n) => known(one, '5678'[n] ?? '')) },
      ),
      update({ cookiesToDelete: [...'567'].map(idOf) }, { cookies: [] }),
      update({ cookiesToAdd: [cookie('e'), cookie('f')] }, { cookies: [cookie('e'), cookie('f')] }),
    ],
    'violated: all of it twice, each time': [
      baseline({ cookies: [] }),
      update(
        { cookiesToAdd: [c, cookie('d')] },
        { cookies: [c, cookie('d'), c, cookie('d')].map((one, n) => known(one, '5678'[n] ?? '')) },
      ),
    ],
    'violated: missing': { given: [update(add)], says: ['"c" among cookies', 'none'] },
    'violated: one of two missing': {
      given: [update({ cookiesToAdd: [c, cookie('d')] }, { cookies: [a, c] })],
      says: '"a", "c"',
    },
    'violated: with another expiry': [
      update(
        { cookiesToAdd: [{ ...c, expiry: '2040-01-01T00:00:00Z' }] },
        { cookies: [{ ...c, expiry: '2041-01-01T00:00:00Z' }] },
      ),
    ],
    'satisfied, violated: deleted at the next update': {
      given: [baseline({ cookies: [a] }), update(add, { cookies: [a, c] }), baseline({ cookies: [a] })],
      says: 'as cookiesToAdd left them',
    },
    'inconclusive: a refusal, for any reason': { given: [refusedUpdate(add)], says: ['cookiesToAdd', '400'] },
    'ignored: a refusal in a recording': [recorded(refusedUpdate(add))],
    'violated: in place of one of that name on another domain': [
      baseline({ cookies: [cookie('c', { domain: 'example.org' })] }),
      update(add, { cookies: [c] }),
    ],
    'satisfied: still there, while another setting is missing: update-applies judges that': [
      baseline(),
      update({ ...add, name: 'B' }, { cookies: [c], name: 'B' }),
      baseline({ cookies: [c] }),
    ],
  },

  'cookies-are-deleted': {
    'violated: refused, although the answer has the id': {
      given: [baseline({ cookies: [a] }), refusedUpdate(remove('a'))],
      says: ['deleted', '400 with'],
    },
    'inconclusive: a missing permission': [baseline({ cookies: [a] }), refusedUpdate(remove('a'), { status: 403 })],
    'ignored: a refusal of an id that no answer has': [baseline({ cookies: [a] }), refusedUpdate(remove('b'))],
    'ignored: a refusal of a larger request': [
      baseline({ cookies: [a] }),
      refusedUpdate({ ...remove('a'), name: 'x' }),
    ],
    'satisfied: while the same is added again': [
      baseline({ cookies: [a] }),
      update({ ...remove('a'), cookiesToAdd: [cookie('a')] }, { cookies: [known(cookie('a'), 'd')] }),
    ],
    'violated: still there': {
      given: [baseline({ cookies: [a, b] }), update(remove('a'), { cookies: [a, b] })],
      says: ['"a" deleted', 'still there'],
    },
    'violated: still there, in a recording': [recorded(update(remove('a'), { cookies: [a] }))],
    'violated: still there under another id': [
      baseline({ cookies: [a] }),
      update(remove('a'), { cookies: [known(cookie('a'), 'd')] }),
    ],
    'violated: another one as well': {
      given: [baseline({ cookies: [a, b] }), update(remove('a'))],
      says: ['"b" kept: it is not among what is deleted', 'gone'],
    },
    'satisfied, violated: back at the next update': {
      given: [baseline({ cookies: [a] }), update(remove('a')), baseline({ cookies: [a] })],
      says: 'deleted for good',
    },
    'satisfied: one, while others disappear by themselves': [
      baseline({ cookies: [a, b, c] }),
      update({}, { cookies: [a, b] }),
      update(remove('a')),
    ],
    'satisfied: one, beside another with an id that no answer has any more': [
      baseline({ cookies: [a, b] }),
      update(remove('a'), { cookies: [cookie('b')] }),
    ],
  },
} satisfies Tables;
