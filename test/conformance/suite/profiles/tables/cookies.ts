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
  'cookie-expiry-is-shown': [
    ['kept', 'as sent', [update({ cookiesToAdd: [lasting] }, { cookies: [known(lasting, 'c')] })]],
    [
      'kept',
      'capped',
      [update({ cookiesToAdd: [lasting] }, { cookies: [known({ ...c, expiry: '2027-01-01T00:00:00Z' }, 'c')] })],
    ],
    [
      'broken',
      'none',
      [update({ cookiesToAdd: [lasting] }, { cookies: [known(c, 'c')] })],
      { says: 'with its expiry, "2040-01-01T00:00:00Z"' },
    ],
    [
      'kept',
      'none of another cookie of that name',
      [update({ cookiesToAdd: [lasting] }, { cookies: [known(c, 'c'), known(lasting, 'd')] })],
    ],
    ['untouched', 'a cookie without', [update(add, { cookies: [known(c, 'c')] })]],
    [
      'untouched',
      'one that is over',
      [update({ cookiesToAdd: [{ ...c, expiry: '1969-12-31T00:00:00Z' }] }, { cookies: [c] })],
    ],
    ['untouched', 'a cookie that is not there', [update({ cookiesToAdd: [lasting] }, { cookies: [] })]],
  ],
  'cookies-are-added': [
    ['kept', 'among the others', [baseline({ cookies: [a] }), update(add, { cookies: [a, known(c, 'c')] })]],
    [
      'kept',
      'where one is gone whose time was over',
      [baseline({ cookies: [{ ...a, expiry: '1969-12-31T00:00:00Z' }] }), update(add, { cookies: [known(c, 'c')] })],
    ],
    ['kept', 'in a recording', [recorded(update(add, { cookies: [known(c, 'c')] }))]],
    ['kept', 'a part of its value left out', [update(add, { cookies: [known(cookie('c', { value: 'cr…' }), 'c')] })]],
    ['kept', 'its value masked', [update(add, { cookies: [known(cookie('c', { value: '••••' }), 'c')] })]],
    [
      'kept',
      'with an id of its own',
      [update({ cookiesToAdd: [{ ...c, id: idOf('d') }] }, { cookies: [known(c, 'c')] })],
    ],
    [
      'kept',
      'its time written otherwise',
      [
        update(
          { cookiesToAdd: [{ ...c, expiry: '2040-01-01T00:00:00Z' }] },
          { cookies: [{ ...c, expiry: '2040-01-01T00:00:00.000Z' }] },
        ),
      ],
    ],
    [
      'kept',
      'in the place of the one of that name',
      [
        baseline({ cookies: [a] }),
        update(
          { cookiesToAdd: [cookie('a', { value: 'new' })] },
          { cookies: [known(cookie('a', { value: 'new' }), 'd')] },
        ),
      ],
    ],
    [
      ['unclear', 'kept'],
      'all of it twice, where what another update added is there once',
      [
        baseline({ cookies: [] }),
        update(
          { cookiesToAdd: [c, cookie('d')] },
          { cookies: [c, cookie('d'), c, cookie('d')].map((one, n) => known(one, '5678'[n] ?? '')) },
        ),
        update({ cookiesToDelete: [...'5678'].map(idOf) }, { cookies: [] }),
        update({ cookiesToAdd: [cookie('e'), cookie('f')] }, { cookies: [cookie('e'), cookie('f')] }),
      ],
      { says: 'delivered twice' },
    ],
    [
      ['broken', 'kept'],
      'one of two twice, where what another update added is there once',
      [
        baseline({ cookies: [] }),
        update(
          { cookiesToAdd: [c, cookie('d')] },
          { cookies: [c, cookie('d'), c].map((one, n) => known(one, '5678'[n] ?? '')) },
        ),
        update({ cookiesToDelete: [...'567'].map(idOf) }, { cookies: [] }),
        update({ cookiesToAdd: [cookie('e'), cookie('f')] }, { cookies: [cookie('e'), cookie('f')] }),
      ],
    ],
    [
      'broken',
      'all of it twice, each time',
      [
        baseline({ cookies: [] }),
        update(
          { cookiesToAdd: [c, cookie('d')] },
          { cookies: [c, cookie('d'), c, cookie('d')].map((one, n) => known(one, '5678'[n] ?? '')) },
        ),
      ],
    ],
    ['broken', 'missing', [update(add)], { says: ['"c" among cookies', 'none'] }],
    [
      'broken',
      'one of two missing',
      [update({ cookiesToAdd: [c, cookie('d')] }, { cookies: [a, c] })],
      { says: '"a", "c"' },
    ],
    ['broken', 'with another value', [update(add, { cookies: [{ ...c, value: 'other' }] })]],
    [
      'broken',
      'with a part of its value, which is no mask of it',
      [
        update(
          { cookiesToAdd: [cookie('c', { value: 'ends in **bold**' })] },
          { cookies: [cookie('c', { value: '**bold**' })] },
        ),
      ],
    ],
    ['broken', 'with another flag', [update(add, { cookies: [{ ...c, httpOnly: false }] })]],
    [
      'broken',
      'with another expiry',
      [
        update(
          { cookiesToAdd: [{ ...c, expiry: '2040-01-01T00:00:00Z' }] },
          { cookies: [{ ...c, expiry: '2041-01-01T00:00:00Z' }] },
        ),
      ],
    ],
    [
      'broken',
      'instead of the others',
      [baseline({ cookies: [a] }), update(add, { cookies: [c] })],
      { says: '"a" kept' },
    ],
    [
      ['kept', 'broken'],
      'gone at the next update',
      [baseline({ cookies: [a] }), update(add, { cookies: [a, c] }), baseline({ cookies: [a] })],
      { says: 'as cookiesToAdd left them' },
    ],
    ['untouched', 'none added', [baseline({ cookies: [a] }), update({ cookiesToAdd: [] })]],
    ['unclear', 'a refusal, for whatever reason', [refusedUpdate(add)], { says: ['cookiesToAdd', '400'] }],
    ['untouched', 'a refusal in a recording', [recorded(refusedUpdate(add))]],
    [
      'kept',
      'added and then deleted',
      [baseline(), update({ cookiesToAdd: [cookie('a')] }, { cookies: [a] }), update(remove('a'))],
    ],
    [
      'kept',
      'beside others that are gone, as they go by themselves',
      [baseline({ cookies: [a, b] }), update({}, { cookies: [a] }), update(add, { cookies: [c] })],
    ],
    ...['domain', 'key', 'name'].map(
      (field) => ['broken', `with another ${field}`, [update(add, { cookies: [{ ...c, [field]: 'x' }] })]] as const,
    ),
    [
      'broken',
      'no longer secure',
      [update({ cookiesToAdd: [cookie('s', { secure: true })] }, { cookies: [cookie('s')] })],
    ],
    [
      'kept',
      'for ever, where the service gives it an end',
      [update(add, { cookies: [{ ...c, expiry: '2040-01-01T00:00:00Z' }] })],
    ],
    [
      'kept',
      'with an end that is not shown',
      [update({ cookiesToAdd: [{ ...c, expiry: '2040-01-01T00:00:00Z' }] }, { cookies: [c] })],
    ],
    [
      'broken',
      'in the place of one of that name on another domain',
      [baseline({ cookies: [cookie('c', { domain: 'example.org' })] }), update(add, { cookies: [c] })],
    ],
    [
      'kept',
      'still there, while another setting is not: update-applies speaks of it',
      [baseline(), update({ ...add, name: 'B' }, { cookies: [c], name: 'B' }), baseline({ cookies: [c] })],
    ],
    [
      'kept',
      'while another is deleted, and a third gone: cookies-are-deleted speaks of it',
      [baseline({ cookies: [a, b] }), update({ ...add, ...remove('a') }, { cookies: [c] })],
    ],
    [
      'untouched',
      'a deleted one back: cookies-are-deleted speaks of it',
      [baseline({ cookies: [a] }), update(remove('a')), baseline({ cookies: [a] })],
    ],
  ],

  'cookies-are-deleted': [
    ['kept', 'one of two', [baseline({ cookies: [a, b] }), update(remove('a'), { cookies: [b] })]],
    ['kept', 'both', [baseline({ cookies: [a, b] }), update(remove('a', 'b'))]],
    [
      'kept',
      'beside one that a browser renews and takes away',
      [
        baseline({ cookies: [a, b] }),
        baseline({ cookies: [a, known(cookie('b', { value: 'renewed' }), 'c')] }),
        update(remove('a')),
      ],
    ],
    [
      'broken',
      'refused, though the id is the one that is shown',
      [baseline({ cookies: [a] }), refusedUpdate(remove('a'))],
      { says: ['deleted', '400 with'] },
    ],
    ['unclear', 'a permission that lacks', [baseline({ cookies: [a] }), refusedUpdate(remove('a'), { status: 403 })]],
    ['untouched', 'a refusal of an id that is not shown', [baseline({ cookies: [a] }), refusedUpdate(remove('b'))]],
    [
      'untouched',
      'a refusal of more than that',
      [baseline({ cookies: [a] }), refusedUpdate({ ...remove('a'), name: 'x' })],
    ],
    ['untouched', 'a refusal in a recording', [baseline({ cookies: [a] }), recorded(refusedUpdate(remove('a')))]],
    ['kept', 'an id in capitals', [baseline({ cookies: [a] }), update({ cookiesToDelete: [idOf('a').toUpperCase()] })]],
    [
      'kept',
      'while the same is added anew',
      [
        baseline({ cookies: [a] }),
        update({ ...remove('a'), cookiesToAdd: [cookie('a')] }, { cookies: [known(cookie('a'), 'd')] }),
      ],
    ],
    [
      'broken',
      'still there',
      [baseline({ cookies: [a, b] }), update(remove('a'), { cookies: [a, b] })],
      { says: ['"a" deleted', 'still there'] },
    ],
    ['broken', 'still there, in a recording', [recorded(update(remove('a'), { cookies: [a] }))]],
    [
      'broken',
      'still there under another id',
      [baseline({ cookies: [a] }), update(remove('a'), { cookies: [known(cookie('a'), 'd')] })],
    ],
    [
      'broken',
      'another one as well',
      [baseline({ cookies: [a, b] }), update(remove('a'))],
      { says: ['"b" kept: it is not among what is deleted', 'gone'] },
    ],
    ['broken', 'another one instead', [baseline({ cookies: [a, b] }), update(remove('a'), { cookies: [a] })]],
    [
      ['kept', 'broken'],
      'back at the next update',
      [baseline({ cookies: [a] }), update(remove('a')), baseline({ cookies: [a] })],
      { says: 'deleted for good' },
    ],
    ['untouched', 'one that was not there', [baseline({ cookies: [b] }), update(remove('a'), { cookies: [b] })]],
    ['untouched', 'gone, in a recording: it may not have been there', [recorded(update(remove('a')))]],
    ['untouched', 'none deleted', [baseline({ cookies: [a] }), update({ cookiesToDelete: [] }, { cookies: [a] })]],
    [
      'kept',
      'one, while others go by themselves',
      [baseline({ cookies: [a, b, c] }), update({}, { cookies: [a, b] }), update(remove('a'))],
    ],
    [
      'kept',
      'one, beside another without an id',
      [baseline({ cookies: [a, c] }), update(remove('a'), { cookies: [c] })],
    ],
    [
      'kept',
      'one, beside another that has an id now',
      [baseline({ cookies: [a, c] }), update(remove('a'), { cookies: [known(c, 'd')] })],
    ],
    [
      'kept',
      'one, beside another whose id is not shown any more',
      [baseline({ cookies: [a, b] }), update(remove('a'), { cookies: [cookie('b')] })],
    ],
    [
      'broken',
      'emptied instead',
      [baseline({ cookies: [a] }), update(remove('a'), { cookies: [{ ...a, value: '' }] })],
    ],
    [
      'untouched',
      'an added one gone: cookies-are-added speaks of it',
      [baseline(), update(add, { cookies: [c] }), baseline()],
    ],
  ],
} satisfies Tables;
