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
  'inbox-default-prefix': {
    'satisfied, satisfied: of a copy': [baseline(), duplicate(), shows].map(recorded),
    'violated: another prefix': {
      given: [baseline(at('portal@inbox.example.com')), shows],
      says: [`inboxEmail ${own}@…`, 'portal@'],
    },
    'ignored: a service that shows a prefix only to the caller that sets it': [
      baseline(at('sales@inbox.example.com')),
      update(prefix, at('acme@inbox.example.com', prefix)),
    ],
    'ignored: a prefix that may have been set': [
      refusedUpdate(prefix, { status: 500 }),
      baseline(at('acme@inbox.example.com')),
      shows,
    ],
    'ignored: an update with another profile in its answer': [baseline({ id: another.profile }), shows],
    'violated: another prefix in a recording, beside a description with stars': {
      given: [baseline({ ...at('portal@inbox.example.com'), description: '**new**' }), shows].map(recorded),
      says: 'portal@',
    },
    'violated: a mask, of a run': [baseline(at('***')), shows],
  },

  'inbox-custom-prefix': {
    'violated: the default': { given: [baseline(), update(prefix)], says: ['acme@inbox.example.com', own] },
    'violated: another domain': [baseline(), update(prefix, at('acme@elsewhere.example'))],
    'violated: no address': [recorded(update(prefix, at('acme')))],
    'violated: another one than that of the profile': {
      given: [baseline({ inboxEmailPrefix: 'acme' })],
      says: ['acme@…, as inboxEmailPrefix', own],
    },
    'ignored: one in the notation of a mail server': [
      baseline({ ...at('a.b-c@inbox.example.com'), inboxEmailPrefix: 'A b_C' }),
    ],
    'ignored: an empty one': [baseline(), update({ inboxEmailPrefix: '' })],
    'inconclusive: only refusals': {
      given: [refusedUpdate(prefix), refusedUpdate({ inboxEmailPrefix: 'a1' }, { status: 422 })],
      says: ['422', '"a1"'],
    },
    'satisfied: a refusal beside an acceptance': [
      refusedUpdate(prefix),
      update({ inboxEmailPrefix: 'a1' }, at('a1@inbox.example.com')),
    ],
    "ignored: a refusal of another client's prefix": [recorded(refusedUpdate(prefix))],
    'ignored: a refusal of an invalid prefix': [refusedUpdate({ inboxEmailPrefix: 5 })],
  },
} satisfies Tables;
