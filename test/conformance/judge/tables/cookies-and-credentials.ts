import type { Tables } from '../../../support/judge-table.js';
import { baseline, cookie, idOf, known, refusedUpdate, update } from '../../../support/profiles.js';
import { recorded } from '../../../support/runs.js';

const a = known(cookie('a'), 'a');
const b = known(cookie('b'), 'b');
const c = cookie('c');
const add = { cookiesToAdd: [c] };
const remove = (...digits: string[]) => ({ cookiesToDelete: digits.map(idOf) });

const credential = (name: string, data = 'secret') => ({ name, data });
const one = known(credential('One'), '1');
const two = known(credential('two'), '2');
const masked = (item: object) => ({ ...item, data: '****' });
const addCredential = { credentialsToAdd: [credential('three')] };
const removeCredential = (...digits: string[]) => ({ credentialsToDelete: digits.map(idOf) });
const rename = (name: string, data = 'changed') => ({ credentialsToUpdate: [{ name, data }] });
/** A credential whose data came back as it was sent. */
const visible = update({ credentialsToAdd: [credential('One'), credential('two')] }, { credentials: [one, two] });

export const cookiesAndCredentials = {
  'cookies-are-added': [
    ['kept', 'among the others', [baseline({ cookies: [a] }), update(add, { cookies: [a, known(c, 'c')] })]],
    ['kept', 'in a recording', [recorded(update(add, { cookies: [known(c, 'c')] }))]],
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
    ['broken', 'missing', [update(add)], { says: ['"c" among cookies', 'none'] }],
    [
      'broken',
      'one of two missing',
      [update({ cookiesToAdd: [c, cookie('d')] }, { cookies: [a, c] })],
      { says: '"a", "c"' },
    ],
    ['broken', 'with another value', [update(add, { cookies: [{ ...c, value: 'other' }] })]],
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
    ['untouched', 'a refusal', [refusedUpdate(add)]],
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
      { says: ['only', '"b" gone as well'] },
    ],
    ['broken', 'another one instead', [baseline({ cookies: [a, b] }), update(remove('a'), { cookies: [a] })]],
    [
      ['kept', 'broken'],
      'back at the next update',
      [baseline({ cookies: [a] }), update(remove('a')), baseline({ cookies: [a] })],
      { says: 'as cookiesToDelete left them' },
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

  'credentials-are-added': [
    [
      'kept',
      'among the others',
      [
        baseline({ credentials: [one] }),
        update(addCredential, { credentials: [one, known(credential('three'), '3')] }),
      ],
    ],
    ['kept', 'masked', [update(addCredential, { credentials: [masked(credential('three'))] })]],
    [
      'kept',
      'in the place of one that differs by case',
      [
        baseline({ credentials: [one] }),
        update({ credentialsToAdd: [credential('ONE')] }, { credentials: [credential('ONE')] }),
      ],
    ],
    ['broken', 'missing', [recorded(update(addCredential))], { says: '"three" among credentials' }],
    [
      'broken',
      'instead of the others',
      [baseline({ credentials: [one] }), update(addCredential, { credentials: [credential('three')] })],
    ],
    [
      ['kept', 'broken'],
      'gone at the next update',
      [baseline(), update(addCredential, { credentials: [credential('three')] }), baseline()],
    ],
    ['untouched', 'none added', [update({}, { credentials: [one] })]],
  ],

  'credentials-are-deleted': [
    [
      'kept',
      'one of two',
      [baseline({ credentials: [one, two] }), update(removeCredential('2'), { credentials: [masked(one)] })],
    ],
    [
      'broken',
      'still there',
      [baseline({ credentials: [one] }), update(removeCredential('1'), { credentials: [one] })],
      { says: '"One" deleted' },
    ],
    ['broken', 'another one as well', [baseline({ credentials: [one, two] }), update(removeCredential('2'))]],
    [
      ['kept', 'broken'],
      'back at the next update',
      [baseline({ credentials: [one] }), update(removeCredential('1')), baseline({ credentials: [one] })],
    ],
    ['untouched', 'one that was not there', [baseline(), update(removeCredential('1'))]],
  ],

  'credentials-update-ignores-case': [
    [
      'kept',
      'found in another case',
      [baseline({ credentials: [one, two] }), update(rename('ONE'), { credentials: [one, two] })],
    ],
    [
      'kept',
      'found, and its data shown',
      [visible, update(rename('ONE'), { credentials: [{ ...one, data: 'changed' }, two] })],
    ],
    [
      'kept',
      'found, and named as sent',
      [baseline({ credentials: [one] }), update(rename('ONE'), { credentials: [{ ...one, name: 'ONE' }] })],
    ],
    [
      'kept',
      'masked',
      [baseline({ credentials: [masked(one)] }), update(rename('ONE'), { credentials: [masked(one)] })],
    ],
    [
      'broken',
      'another one added',
      [baseline({ credentials: [one] }), update(rename('ONE'), { credentials: [one, known(credential('ONE'), '3')] })],
      { says: ['"One" updated, and none added', '2 of that name'] },
    ],
    [
      'broken',
      'another one added, in the same case',
      [baseline({ credentials: [two] }), update(rename('two'), { credentials: [two, known(credential('two'), '3')] })],
    ],
    [
      'broken',
      'replaced by another',
      [baseline({ credentials: [one] }), update(rename('ONE'), { credentials: [known(credential('ONE'), '3')] })],
      { says: 'under its id' },
    ],
    ['broken', 'gone', [baseline({ credentials: [one] }), update(rename('ONE'))]],
    [
      'broken',
      'another one gone',
      [baseline({ credentials: [one, two] }), update(rename('ONE'), { credentials: [one] })],
    ],
    [
      'broken',
      'data that stays, where it is shown',
      [visible, update(rename('ONE'), { credentials: [one, two] })],
      { says: 'with the data sent' },
    ],
    [
      'broken',
      'not found',
      [baseline({ credentials: [one] }), refusedUpdate(rename('ONE'))],
      { says: ['"One" found as "ONE"', '400'] },
    ],
    [
      'broken',
      'not found, with 404',
      [baseline({ credentials: [one] }), refusedUpdate(rename('ONE'), { status: 404 })],
    ],
    ['untouched', 'the same case', [baseline({ credentials: [one] }), update(rename('One'), { credentials: [one] })]],
    ['untouched', 'a name that no credential has', [baseline({ credentials: [one] }), refusedUpdate(rename('three'))]],
    [
      'untouched',
      'a key that may not',
      [baseline({ credentials: [one] }), refusedUpdate(rename('ONE'), { status: 403 })],
    ],
    ['untouched', 'a recording', [baseline({ credentials: [one] }), update(rename('ONE'))].map(recorded)],
    ['untouched', 'none updated', [baseline({ credentials: [one] }), update({}, { credentials: [one, two] })]],
    [
      'broken',
      'not found, though it is still there',
      [baseline({ credentials: [one] }), refusedUpdate(rename('ONE')), baseline({ credentials: [one] })],
    ],
    [
      'kept',
      'found, where data is masked',
      [
        update({ credentialsToAdd: [credential('One')] }, { credentials: [masked(one)] }),
        update(rename('ONE'), { credentials: [masked(one)] }),
      ],
    ],
    [
      'kept',
      'found, while another is added',
      [
        baseline({ credentials: [one] }),
        update({ ...rename('ONE'), ...addCredential }, { credentials: [one, credential('three')] }),
      ],
    ],
    [
      'kept',
      'found, while another is deleted',
      [
        baseline({ credentials: [one, two] }),
        update({ ...rename('ONE'), ...removeCredential('2') }, { credentials: [one] }),
      ],
    ],
    [
      'untouched',
      'a name that no credential has, taken',
      [baseline({ credentials: [one] }), update(rename('three'), { credentials: [one] })],
    ],
    [
      'untouched',
      'a probe',
      [
        baseline({ credentials: [one] }),
        refusedUpdate(rename('ONE'), { mark: { probe: { rule: 'update-body-is-typed', fault: '', twins: [] } } }),
      ],
    ],
  ],
} satisfies Tables;
