import { type OpenFlagGap, openFlags } from '../../../../../generated/flags.js';
import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Observation, Observations } from '../../../../support/gap-table.js';
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

const turnedOn = (name: string): readonly Observation[] => [
  ['taken', [update({ [name]: true }, { [name]: true })], ['taken']],
  ['dropped', [update({ [name]: true }, { [name]: false })], ['dropped']],
  ['refused', [control, refusal({ [name]: true }, 403)], ['refused: 403 (code 403)']],
  ['nothing where every update is refused', [refusal({ [name]: true }, 403)], []],
  ['nothing where it is turned off', [update({ [name]: false }, { [name]: false })], []],
  [
    'nothing of a request with a fault',
    [{ ...refusal({ [name]: true }, 400), mark: { probe: { rule: 'update-body-is-typed', fault: 'f', twins: [] } } }],
    [],
  ],
  ['nothing of a request without the key', [{ ...refusal({ [name]: true }, 401), mark: { credential: 'none' } }], []],
];

const credential = { name: 'n', data: 'secret' };
const adding = { credentialsToAdd: [credential] };
const cookie = { name: 'c', id: ids.pool };

export const profileGaps = {
  'unnamed-profile-fields': [
    [
      'their names',
      [
        update({}, { ...example('updateProfile', 'profile'), proxyMode: 'none', operatingSystem: 'macos' }),
        duplicate({ proxyCountry: 'de' }),
      ],
      ['operatingSystem', 'proxyCountry', 'proxyMode'],
    ],
    ['none', [update({}, example('updateProfile', 'profile'))], ['none']],
    ['nothing of a refusal', [refusal({}, 400)], []],
  ],
  'empty-update': [
    [
      'nothing of another operation, a request without a body, or a rate limit',
      [{ ...duplicate({}), sent: {} }, { operation: 'updateProfile', status: 400, body: {} }, refusal({}, 429)],
      [],
    ],
    ['taken', [update({})], ['taken']],
    ['refused', [refusal({}, 400), update({ cookiesToAdd: [] })], ['refused: 400 (code 400)']],
  ],
  'unknown-request-fields': [
    ['ignored', [unknownField(update({ conformanceSuite: 1 }, { name: 'n' }))], ['ignored']],
    ['kept', [unknownField(update({ conformanceSuite: 1 }, { conformanceSuite: 1 }))], ['kept']],
    ['refused', [control, unknownField(refusal({ conformanceSuite: 1 }, 400))], ['refused: 400 (code 400)']],
    [
      'refused beside what is taken alone',
      [
        update({ cookiesToAdd: [] }, {}),
        unknownField(refusal({ cookiesToAdd: [], conformanceSuite: 1 }, 400)),
        unknownField(refusal({ cookiesToDelete: [], conformanceSuite: 1 }, 422)),
      ],
      ['refused: 400 (code 400)'],
    ],
    ['nothing of other updates', [update({ name: 'n' }, { name: 'n' })], []],
  ],
  'credential-data-visible': [
    ['as sent', [update(adding, { credentials: [credential] })], ['as sent']],
    ['masked', [update(adding, { credentials: [{ name: 'n', data: '******' }] })], ['masked']],
    ['absent', [update(adding, { credentials: [{ name: 'n' }] })], ['absent']],
    ['nothing of a refusal', [control, refusal(adding, 400)], []],
    ['nothing where it is not in the answer', [update(adding, { credentials: [] })], []],
  ],
  'cookie-id-sent': [
    ['kept', [update({ cookiesToAdd: [cookie] }, { cookies: [cookie] })], ['cookie: kept']],
    [
      'given anew',
      [update({ credentialsToAdd: [cookie] }, { credentials: [{ ...cookie, id: ids.profile }] })],
      ['credential: given anew'],
    ],
    [
      'of the one that was sent with an id',
      [update({ cookiesToAdd: [{ name: 'd' }, cookie] }, { cookies: [{ name: 'd', id: ids.profile }, cookie] })],
      ['cookie: kept'],
    ],
    [
      'refused, where the same cookie is taken without its id',
      [refusal({ cookiesToAdd: [cookie] }, 400), update({ cookiesToAdd: [{ name: 'c' }] }, {})],
      ['refused: 400 (code 400)'],
    ],
    [
      'nothing of a refusal for something else',
      [
        control,
        refusal({ cookiesToAdd: [{ ...cookie, value: 'far too long' }] }, 400),
        update({ cookiesToAdd: [{ name: 'c' }] }, {}),
      ],
      [],
    ],
    ['nothing where none was sent', [update({ cookiesToAdd: [{ name: 'c' }] }, { cookies: [cookie] })], []],
  ],
  'text-length-unit': [
    ['characters', [astral(update({ description: '🦊' }, { description: '🦊' }))], ['characters']],
    ['refused', [control, astral(refusal({ description: '🦊' }, 400))], ['refused: 400 (code 400)']],
    ['nothing of other updates', [update({ description: '🦊' }, { description: '🦊' })], []],
  ],
  'stored-normalised': [
    ['trimmed texts', [update({ description: ' a ' }, { description: 'a' })], ['texts trimmed']],
    ['composed letters', [update({ name: 'e\u0301' }, { name: '\u00e9' })], ['letters composed otherwise']],
    ['nothing of another text', [update({ description: ' a ' }, { description: 'b' })], []],
    [
      'domains and expiry of cookies',
      [
        update(
          { cookiesToAdd: [{ name: 'c', domain: 'a.example', expiry: '2040-01-01T00:00:00Z' }] },
          { cookies: [{ name: 'c', domain: '.a.example', expiry: '2027-01-01T00:00:00Z' }] },
        ),
      ],
      ['cookie domains', 'cookie expiry capped'],
    ],
    [
      'nothing of two cookies of one name that are each where they were sent',
      [
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
      [],
    ],
    [
      'the case of names',
      [update({ credentialsToAdd: [{ name: 'N', data: 'd' }] }, { credentials: [{ name: 'n', data: 'd' }] })],
      ['case of credential names'],
    ],
  ],
  'custom-proxy-request': [
    [
      'the fields that are taken',
      [
        update(
          { customProxy: { server: 's', username: 'u', password: 'p' } },
          { customProxy: { server: 's', username: 'u' } },
        ),
      ],
      ['server', 'username'],
    ],
    ['ignored', [update({ customProxy: { server: 's' } })], ['ignored']],
    ['refused', [control, refusal({ customProxy: {} }, 400)], ['refused: 400 (code 400)']],
  ],
  ...(Object.fromEntries(openFlags.map(({ flag, gap }) => [gap, turnedOn(flag)])) as Record<
    OpenFlagGap,
    readonly Observation[]
  >),
  'duplicate-inbox-prefix': [
    ['kept', [update({}, { inboxEmailPrefix: 'p' }), duplicate({ inboxEmailPrefix: 'p' })], ['kept']],
    ['dropped', [update({}, { inboxEmailPrefix: 'p' }), duplicate({})], ['dropped']],
    ['changed', [update({}, { inboxEmailPrefix: 'p' }), duplicate({ inboxEmailPrefix: 'q' })], ['changed']],
    [
      'by the last that was known before',
      [
        update({}, { inboxEmailPrefix: 'p' }),
        update({}, { inboxEmailPrefix: 'q' }),
        duplicate({ inboxEmailPrefix: 'q' }),
      ],
      ['kept'],
    ],
    ['nothing where the source has none', [update({}, {}), duplicate({}), update({}, { inboxEmailPrefix: 'p' })], []],
  ],
} satisfies Observations;
