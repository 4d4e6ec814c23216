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
    ['kept', 'the first 8 characters of the id', [baseline(), shows]],
    ['kept', 'in capitals', [baseline(at(`${own.toUpperCase()}@inbox.example.com`)), shows]],
    [['kept', 'kept'], 'of a copy', [baseline(), duplicate(), shows].map(recorded)],
    [
      'broken',
      'another prefix',
      [baseline(at('portal@inbox.example.com')), shows],
      { says: [`inboxEmail ${own}@…`, 'portal@'] },
    ],
    ['broken', 'more than the first 8', [baseline(at(`${ids.profile}@inbox.example.com`)), shows]],
    ['broken', 'no address', [baseline(at(own)), shows]],
    ['broken', 'a copy with the address of the source', [duplicate(at(`${own}@inbox.example.com`)), shows]],
    [
      'broken',
      'another prefix, after one of its own was refused',
      [refusedUpdate({ inboxEmailPrefix: 5 }), baseline(at('portal@inbox.example.com')), shows],
    ],
    ['untouched', 'a service that shows no prefixes', [baseline(at('portal@inbox.example.com'))]],
    [
      'untouched',
      'a service that shows a prefix only to who sets it',
      [baseline(at('sales@inbox.example.com')), update(prefix, at('acme@inbox.example.com', prefix))],
    ],
    ['untouched', 'a prefix of one’s own', [baseline(at('acme@inbox.example.com', prefix))]],
    [
      'untouched',
      'a prefix that was set, and is not shown',
      [update(prefix, at('acme@inbox.example.com')), baseline(at('acme@inbox.example.com')), shows],
    ],
    [
      'untouched',
      'a prefix that may have been set',
      [refusedUpdate(prefix, { status: 500 }), baseline(at('acme@inbox.example.com')), shows],
    ],
    ['untouched', 'a refusal', [refusedUpdate({}), shows]],
    ['untouched', 'an update answered with another profile', [baseline({ id: another.profile }), shows]],
    ['untouched', 'an answer without an id', [baseline({ id: undefined }), shows]],
  ],

  'inbox-custom-prefix': [
    ['kept', 'the prefix, and the same domain', [baseline(), update(prefix, at('acme@inbox.example.com', prefix))]],
    ['kept', 'a domain that was not seen before', [recorded(update(prefix, at('acme@elsewhere.example')))]],
    ['kept', 'a prefix with an @ and capitals', [update({ inboxEmailPrefix: 'A@b' }, at('a@b@inbox.example.com'))]],
    ['broken', 'the default', [baseline(), update(prefix)], { says: ['acme@inbox.example.com', own] }],
    ['broken', 'another domain', [baseline(), update(prefix, at('acme@elsewhere.example'))]],
    ['broken', 'no address', [recorded(update(prefix, at('acme')))]],
    ['untouched', 'no prefix sent', [baseline(), update({ name: 'X' })]],
    [
      'broken',
      'another one than the profile shows',
      [baseline({ inboxEmailPrefix: 'acme' })],
      { says: ['acme@…, as inboxEmailPrefix', own] },
    ],
    ['broken', 'another one than a copy shows', [duplicate({ inboxEmailPrefix: 'acme' })]],
    [
      'untouched',
      'one that a mail server writes otherwise',
      [baseline({ ...at('a.b-c@inbox.example.com'), inboxEmailPrefix: 'A b_C' })],
    ],
    ['untouched', 'an empty one', [baseline(), update({ inboxEmailPrefix: '' })]],
    [
      'unclear',
      'only refusals',
      [refusedUpdate(prefix), refusedUpdate({ inboxEmailPrefix: 'a1' }, { status: 422 })],
      { says: ['422', '"a1"'] },
    ],
    [
      'kept',
      'a refusal beside one that was taken',
      [refusedUpdate(prefix), update({ inboxEmailPrefix: 'a1' }, at('a1@inbox.example.com'))],
    ],
    ['untouched', 'a refusal of somebody else’s', [recorded(refusedUpdate(prefix))]],
    ['untouched', 'an update that failed', [refusedUpdate(prefix, { status: 500 })]],
    ['untouched', 'a refusal of what is no prefix', [refusedUpdate({ inboxEmailPrefix: 5 })]],
  ],
} satisfies Tables;
