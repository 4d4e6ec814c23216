import type { OperationId } from '../../generated/operations.js';
import { type Fields, isFields, refusing, showing, type Way } from '../change.js';
import type { Variation } from '../variation.js';
import { everywhere, isId } from './everywhere.js';

/** Changes every text that a caller gives, wherever it is shown. */
const texts = (change: (text: string) => string): Way => {
  const within = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(within);
    return isFields(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner)]))
      : value;
  };
  return (base) => ({
    ...showing((one) => ({
      ...one,
      ...(one.inputs && { inputs: within(one.inputs) }),
      ...(one.metadata && { metadata: within(one.metadata) }),
    }))(base),
    presentProfile: (...args) => {
      const shown = base.presentProfile(...args);
      return { ...shown, description: change(shown.description) };
    },
  });
};

/** Refuses what others take, in the words of the contract. */
const strict = (id: string, says: string, isOdd: (operation: OperationId, body: Fields) => boolean): Variation => ({
  id,
  says,
  behaviour: refusing('body', (body, operation) => isOdd(operation, body)),
});

/** 400 days after the time at which the proof begins. */
const cap = new Date(Date.UTC(2026, 0, 1) + 400 * 86_400_000).toISOString();

const itemsOf = (...given: unknown[]): Fields[] => given.flat().filter(isFields);

export const valueVariations: readonly Variation[] = [
  {
    id: 'storage-keys-in-folders',
    says: 'A sharedStorageKey is the slug in a folder of the organization.',
    behaviour: (base) => ({ slug: (key) => `organizations/1/${base.slug(key)}` }),
  },
  {
    id: 'texts-trimmed',
    says: 'Texts are stored without blanks at their ends.',
    behaviour: texts((text) => text.trim()),
  },
  {
    id: 'texts-composed',
    says: 'Letters are stored composed (NFC).',
    behaviour: texts((text) => text.normalize('NFC')),
  },
  {
    id: 'texts-decomposed',
    says: 'Letters are stored decomposed (NFD).',
    behaviour: texts((text) => text.normalize('NFD')),
  },
  {
    id: 'names-in-lower-case',
    says: 'The name of an added credential is in lower case.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) =>
        base.addCredentials(
          credentials,
          added.map((credential) => ({ ...credential, name: credential.name.toLowerCase() })),
          ...rest,
        ),
    }),
  },
  {
    id: 'dotted-domains',
    says: 'The domain of a cookie is shown with a dot before it, as browsers once had it.',
    behaviour: (base) => ({
      presentProfile: (...args) => {
        const shown = base.presentProfile(...args);
        return {
          ...shown,
          cookies: shown.cookies.map((one) => ({ ...one, domain: `.${one.domain.replace(/^\./, '')}` })),
        };
      },
    }),
  },
  {
    id: 'capped-expiry',
    says: 'A cookie lives for 400 days at most, as in browsers.',
    behaviour: (base) => ({
      presentProfile: (...args) => {
        const shown = base.presentProfile(...args);
        return {
          ...shown,
          cookies: shown.cookies.map((one) =>
            one.expiry !== undefined && Date.parse(one.expiry) > Date.parse(cap) ? { ...one, expiry: cap } : one,
          ),
        };
      },
    }),
  },
  {
    id: 'updated-credentials-are-new',
    says: 'A credential that is updated gets a new id.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updated, ...rest) =>
        base
          .updateCredentials(credentials, updated, ...rest)
          .map((one, place) => (one === credentials[place] ? one : { ...one, id: String(one.id).replace(/^./, 'e') })),
    }),
  },
  {
    id: 'signed-urls',
    says: 'URLs are signed anew at each reading.',
    behaviour: (base) => {
      let count = 0;
      const sign = (url: string) => {
        count += 1;
        return `${url}?signature=${count}`;
      };
      return showing((one) => ({
        ...one,
        ...(one.liveViewUrl && { liveViewUrl: sign(one.liveViewUrl) }),
        ...(one.recordingUrl && { recordingUrl: sign(one.recordingUrl) }),
        ...(one.browserLiveViewUrl && { browserLiveViewUrl: sign(one.browserLiveViewUrl) }),
        ...(one.browserRecordingUrl && { browserRecordingUrl: sign(one.browserRecordingUrl) }),
      }))(base);
    },
  },
  {
    id: 'fields-now-and-then',
    says: 'Every other answer has a field more in every object.',
    behaviour: (base) => {
      let even = false;
      const more = everywhere((value) => (isFields(value) ? { ...value, _etag: 'W/"1"' } : value))(base);
      return {
        answer: (call, answer) => {
          even = !even;
          return (even ? (more.answer ?? base.answer) : base.answer)(call, answer);
        },
      };
    },
  },
  {
    id: 'ids-in-either-case',
    says: 'Ids are in capitals in every other answer.',
    behaviour: (base) => {
      let even = false;
      const capitals = everywhere((value) => (isId(value) ? value.toUpperCase() : value))(base);
      return {
        answer: (call, answer) => {
          even = !even;
          return (even ? (capitals.answer ?? base.answer) : base.answer)(call, answer);
        },
      };
    },
  },
  strict(
    'texts-of-the-basic-plane',
    'What has a character outside the basic plane in it is refused with 400.',
    (_, body) => /[\u{10000}-\u{10FFFF}]/u.test(JSON.stringify(body) ?? ''),
  ),
  strict(
    'metadata-has-names',
    'Metadata is refused with 400 whose keys are more than letters, digits, hyphens and underscores, or that has a blank text.',
    (operation, { metadata }) =>
      operation !== 'updateProfile' &&
      isFields(metadata) &&
      Object.entries(metadata).some(([key, value]) => !/^[\w-]{1,40}$/.test(key) || value === ''),
  ),
  strict(
    'old-names-exclude-new',
    'inputs together with dynamicData are refused with 400.',
    (_, { inputs, dynamicData }) => inputs !== undefined && dynamicData !== undefined,
  ),
  strict(
    'inputs-are-short',
    'Inputs of more than 500 characters are refused with 400.',
    (_, { inputs, dynamicData }) => JSON.stringify({ ...Object(inputs), ...Object(dynamicData) }).length > 500,
  ),
  strict(
    'profiles-are-in-ascii',
    'A name or description of a profile that is not all ASCII is refused with 400.',
    (operation, { name, description }) =>
      operation === 'updateProfile' && /[^\p{ASCII}]/u.test(`${name} ${description}`),
  ),
  {
    ...strict(
      'cookies-are-simple',
      'Cookies are refused with 400 that are not secure, have an id, live for more than 400 days, have a domain of no known suffix, or a value of more than letters, digits and hyphens.',
      (_, { cookiesToAdd }) =>
        itemsOf(cookiesToAdd).some(
          ({ id, secure, expiry, domain, value }) =>
            id !== undefined ||
            secure === false ||
            String(expiry ?? '') > cap ||
            /\.example$/.test(String(domain)) ||
            !/^[\w-]+$/.test(String(value)),
        ),
    ),
    untested: ['cookie-expiry-is-shown'],
  },
  strict(
    'credentials-are-json',
    'Credentials are refused with 400 whose data is no JSON object.',
    (_, { credentialsToAdd, credentialsToUpdate }) =>
      itemsOf(credentialsToAdd, credentialsToUpdate).some(
        ({ data }) => typeof data === 'string' && !/^\{.*\}$/.test(data),
      ),
  ),
  strict(
    'credentials-are-simple',
    'Credentials are refused with 400 whose data or name has more than letters, digits, underscores and hyphens, or whose data has fewer than eight of them.',
    (_, { credentialsToAdd, credentialsToUpdate }) =>
      itemsOf(credentialsToAdd, credentialsToUpdate).some(
        ({ name, data }) => !/^[\w-]+$/.test(String(name)) || !/^[\w-]{8,}$/.test(String(data)),
      ),
  ),
];
