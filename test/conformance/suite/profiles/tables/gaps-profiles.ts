import { type OpenFlagGap, openFlags } from '../../../../../generated/flags.js';
import type { ObservableGapId } from '../../../../../generated/rules.js';
import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Observations } from '../../../../support/gap-table.js';
import { example } from '../../../../support/sketches.js';

const update = (sent: object, body: object = {}, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'updateProfile',
  status: 200,
  sent,
  body,
  ...more,
});
const refusal = (sent: object, status: number): Sketch => update(sent, { code: status, message: 'm' }, { status });
const duplicate = (body: object, status = 201): Sketch => ({ operation: 'duplicateProfile', status, body });
const astral = (sketch: Sketch): Sketch => ({ ...sketch, mark: { observes: ['text-length-unit'], unjudged: true } });
const unknownField = (sketch: Sketch): Sketch => ({ ...sketch, mark: { observes: ['unknown-request-fields'] } });
/** An update that is taken: what is refused beside it is refused for what it asks. */
const control: Sketch = update({}, {});

const turnedOn = (name: string): Observations => ({
  taken: { given: [update({ [name]: true }, { [name]: true })], says: 'taken' },
  dropped: { given: [update({ [name]: true }, { [name]: false })], says: 'dropped' },
  refused: { given: [control, refusal({ [name]: true }, 403)], says: 'refused: 403 (code 403)' },
  'nothing if every update is refused': [refusal({ [name]: true }, 403)],
  'no request without the key': [{ ...refusal({ [name]: true }, 401), mark: { credential: 'none' } }],
});

const credential = { name: 'n', data: 'secret' };
const adding = { credentialsToAdd: [credential] };
const cookie = { name: 'c', id: ids.pool };

export const profileGaps = {
  'unnamed-profile-fields': {
    'their names': {
      given: [
        update({}, { ...example('updateProfile', 'profile'), proxyMode: 'none', operatingSystem: 'macos' }),
        duplicate({ proxyCountry: 'de' }),
      ],
      says: ['operatingSystem', 'proxyCountry', 'proxyMode'],
    },
    none: { given: [update({}, example('updateProfile', 'profile'))], says: 'none' },
    'no refusal': [refusal({}, 400)],
  },
  'empty-update': {
    'no other operation, request without a body, or rate limit': [
      { ...duplicate({}), sent: {} },
      { operation: 'updateProfile', status: 400, body: {} },
      refusal({}, 429),
    ],
    accepted: { given: [update({})], says: 'taken' },
    refused: { given: [refusal({}, 400), update({ cookiesToAdd: [] })], says: 'refused: 400 (code 400)' },
  },
  'unknown-request-fields': {
    ignored: { given: [unknownField(update({ conformanceSuite: 1 }, { name: 'n' }))], says: 'ignored' },
    kept: { given: [unknownField(update({ conformanceSuite: 1 }, { conformanceSuite: 1 }))], says: 'kept' },
    refused: { given: [control, unknownField(refusal({ conformanceSuite: 1 }, 400))], says: 'refused: 400 (code 400)' },
  },
  'credential-data-visible': {
    'as in the request': { given: [update(adding, { credentials: [credential] })], says: 'as sent' },
    masked: { given: [update(adding, { credentials: [{ name: 'n', data: '******' }] })], says: 'masked' },
    absent: { given: [update(adding, { credentials: [{ name: 'n' }] })], says: 'absent' },
    'no refusal': [control, refusal(adding, 400)],
    'nothing if it is not in the answer': [update(adding, { credentials: [] })],
  },
  'cookie-id-sent': {
    'a new one': {
      given: [update({ credentialsToAdd: [cookie] }, { credentials: [{ ...cookie, id: ids.profile }] })],
      says: 'credential: given anew',
    },
    'that of the one with an id in the request': {
      given: [update({ cookiesToAdd: [{ name: 'd' }, cookie] }, { cookies: [{ name: 'd', id: ids.profile }, cookie] })],
      says: 'cookie: kept',
    },
    'refused, although the same cookie is accepted without its id': {
      given: [refusal({ cookiesToAdd: [cookie] }, 400), update({ cookiesToAdd: [{ name: 'c' }] }, {})],
      says: 'refused: 400 (code 400)',
    },
  },
  'text-length-unit': {
    characters: { given: [astral(update({ description: '🦊' }, { description: '🦊' }))], says: 'characters' },
    refused: { given: [control, astral(refusal({ description: '🦊' }, 400))], says: 'refused: 400 (code 400)' },
  },
  'stored-normalised': {
    'trimmed texts': { given: [update({ description: ' a ' }, { description: 'a' })], says: 'texts trimmed' },
    'composed letters': {
      given: [update({ name: 'e\u0301' }, { name: '\u00e9' })],
      says: 'letters composed otherwise',
    },
    'no other text': [update({ description: ' a ' }, { description: 'b' })],
    'domains and expiry of cookies': {
      given: [
        update(
          { cookiesToAdd: [{ name: 'c', domain: 'a.example', expiry: '2040-01-01T00:00:00Z' }] },
          { cookies: [{ name: 'c', domain: '.a.example', expiry: '2027-01-01T00:00:00Z' }] },
        ),
      ],
      says: ['cookie domains', 'cookie expiry capped'],
    },
    'no two cookies of one name that are each in their place': [
      update(
        {
          cookiesToAdd: [
            { name: 'c', domain: 'a.example' },
            { name: 'c', domain: 'b.example' },
          ],
        },
        {
          cookies: [
            { name: 'c', domain: 'a.example' },
            { name: 'c', domain: 'b.example' },
          ],
        },
      ),
    ],
    'the case of names': {
      given: [update({ credentialsToAdd: [{ name: 'N', data: 'd' }] }, { credentials: [{ name: 'n', data: 'd' }] })],
      says: 'case of credential names',
    },
  },
  'custom-proxy-request': {
    'the accepted fields': {
      given: [
        update(
          { customProxy: { server: 's', username: 'u', password: 'p' } },
          { customProxy: { server: 's', username: 'u' } },
        ),
      ],
      says: ['server', 'username'],
    },
    ignored: { given: [update({ customProxy: { server: 's' } })], says: 'ignored' },
  },
  ...(Object.fromEntries(openFlags.map(({ flag, gap }) => [gap, turnedOn(flag)])) as Record<OpenFlagGap, Observations>),
  'duplicate-inbox-prefix': {
    dropped: { given: [update({}, { inboxEmailPrefix: 'p' }), duplicate({})], says: 'dropped' },
    changed: { given: [update({}, { inboxEmailPrefix: 'p' }), duplicate({ inboxEmailPrefix: 'q' })], says: 'changed' },
    'by the last one that was known before': {
      given: [
        update({}, { inboxEmailPrefix: 'p' }),
        update({}, { inboxEmailPrefix: 'q' }),
        duplicate({ inboxEmailPrefix: 'q' }),
      ],
      says: 'kept',
    },
    'nothing if the source has none': [update({}, {}), duplicate({}), update({}, { inboxEmailPrefix: 'p' })],
  },
} satisfies { readonly [gap in ObservableGapId]?: Observations };
