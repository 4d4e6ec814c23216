import { ids } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { baseline, duplicate, refusedUpdate, update } from '../../../../support/profiles.js';
import { another, recorded } from '../../../../support/runs.js';

const own = ids.profile.slice(0, 8);
const prefix = { inboxEmailPrefix: 'acme' };
const at = (inboxEmail: string, more: object = {}) => ({ inboxEmail, ...more });
/** An answer by which the service is known to show prefixes. */
const shows = duplicate(at('acme@inbox.example.com', prefix));

export const inbox = {
  'inbox-default-prefix': [
    ['satisfied', 'the first 8 characters of the id', [baseline(), shows]],
    ['satisfied', 'in capitals', [baseline(at(`${own.toUpperCase()}@inbox.example.com`)), shows]],
    [['satisfied', 'satisfied'], 'of a copy', [baseline(), duplicate(), shows].map(recorded)],
    [
      'violated',
      'another prefix',
      [baseline(at('portal@inbox.example.com')), shows],
      { says: [`inboxEmail ${own}@…`, 'portal@'] },
    ],
    ['violated', 'more than the first 8', [baseline(at(`${ids.profile}@inbox.example.com`)), shows]],
    ['violated', 'no address', [baseline(at(own)), shows]],
    ['violated', 'a copy with the address of the source', [duplicate(at(`${own}@inbox.example.com`)), shows]],
    [
      'violated',
      'another prefix, after one of its own was refused',
      [refusedUpdate({ inboxEmailPrefix: 5 }), baseline(at('portal@inbox.example.com')), shows],
    ],
    ['ignored', 'a service that shows no prefixes', [baseline(at('portal@inbox.example.com'))]],
    [
      'ignored',
      'a service that shows a prefix only to who sets it',
      [baseline(at('sales@inbox.example.com')), update(prefix, at('acme@inbox.example.com', prefix))],
    ],
    ['ignored', 'a prefix of one’s own', [baseline(at('acme@inbox.example.com', prefix))]],
    [
      'ignored',
      'a prefix that was set, and is not shown',
      [update(prefix, at('acme@inbox.example.com')), baseline(at('acme@inbox.example.com')), shows],
    ],
    [
      'ignored',
      'a prefix that may have been set',
      [refusedUpdate(prefix, { status: 500 }), baseline(at('acme@inbox.example.com')), shows],
    ],
    ['ignored', 'a refusal', [refusedUpdate({}), shows]],
    ['ignored', 'an update answered with another profile', [baseline({ id: another.profile }), shows]],
    ['ignored', 'an answer without an id', [baseline({ id: undefined }), shows]],
  ],

  'inbox-custom-prefix': [
    [
      'satisfied',
      'the prefix, and the same domain',
      [baseline(), update(prefix, at('acme@inbox.example.com', prefix))],
    ],
    ['satisfied', 'a domain that was not seen before', [recorded(update(prefix, at('acme@elsewhere.example')))]],
    [
      'satisfied',
      'a prefix with an @ and capitals',
      [update({ inboxEmailPrefix: 'A@b' }, at('a@b@inbox.example.com'))],
    ],
    ['violated', 'the default', [baseline(), update(prefix)], { says: ['acme@inbox.example.com', own] }],
    ['violated', 'another domain', [baseline(), update(prefix, at('acme@elsewhere.example'))]],
    ['violated', 'no address', [recorded(update(prefix, at('acme')))]],
    ['ignored', 'no prefix sent', [baseline(), update({ name: 'X' })]],
    [
      'violated',
      'another one than the profile shows',
      [baseline({ inboxEmailPrefix: 'acme' })],
      { says: ['acme@…, as inboxEmailPrefix', own] },
    ],
    ['violated', 'another one than a copy shows', [duplicate({ inboxEmailPrefix: 'acme' })]],
    [
      'ignored',
      'one that a mail server writes otherwise',
      [baseline({ ...at('a.b-c@inbox.example.com'), inboxEmailPrefix: 'A b_C' })],
    ],
    ['ignored', 'an empty one', [baseline(), update({ inboxEmailPrefix: '' })]],
    [
      'inconclusive',
      'only refusals',
      [refusedUpdate(prefix), refusedUpdate({ inboxEmailPrefix: 'a1' }, { status: 422 })],
      { says: ['422', '"a1"'] },
    ],
    [
      'satisfied',
      'a refusal beside one that was taken',
      [refusedUpdate(prefix), update({ inboxEmailPrefix: 'a1' }, at('a1@inbox.example.com'))],
    ],
    ['ignored', 'a refusal of somebody else’s', [recorded(refusedUpdate(prefix))]],
    ['ignored', 'an update that failed', [refusedUpdate(prefix, { status: 500 })]],
    ['ignored', 'a refusal of what is no prefix', [refusedUpdate({ inboxEmailPrefix: 5 })]],
  ],
} satisfies Tables;
