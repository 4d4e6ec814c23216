/** Firewalls that refuse certain requests every time. */

import { keys } from '../../../reference/fixtures.js';
import type { Service, Variation } from '../../variation.js';
import { page } from './between.js';

const forbidden = () => Response.json({ message: 'Forbidden' }, { status: 403 });

/** A firewall that answers certain requests itself. */
const refusing =
  (isBad: (request: Request, text: string) => boolean, answer: () => Response) =>
  (service: Service): Service =>
  async (request) =>
    isBad(request, request.body ? await request.clone().text() : '') ? answer() : service(request);

const most = 100_000;
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const looksOdd = (_: Request, text: string) => text.length > most || (text !== '' && !isJson(text));
const isSuspect = (_: Request, text: string) => /<b>|'s"|%20|C:\\\\|\\u0000/.test(text);
const keyOf = ({ headers }: Request) => headers.get('X-Api-Key') ?? headers.get('X-Service-Agents-Api-Key');

export const firewallVariations: readonly Variation[] = [
  {
    id: 'odd-bodies-are-forbidden',
    says: 'A firewall answers what is large or no JSON 403, with a page of HTML.',
    gateway: refusing(looksOdd, () => page(403)),
  },
  {
    id: 'odd-bodies-are-forbidden-in-json',
    says: 'A firewall answers what is large or no JSON 403, with a body of its own.',
    gateway: refusing(looksOdd, forbidden),
  },
  {
    id: 'odd-texts-are-forbidden',
    says: 'A firewall answers whatever has markup, quotes or escapes in it 403, with a page of HTML.',
    gateway: refusing(isSuspect, () => page(403)),
  },
  {
    id: 'odd-texts-are-forbidden-in-json',
    says: 'A firewall answers whatever has markup, quotes or escapes in it 403, with a body of its own.',
    gateway: refusing(isSuspect, forbidden),
  },
  {
    id: 'odd-texts-are-not-acceptable',
    says: 'A firewall answers whatever has markup, quotes or escapes in it 406, with a page of HTML.',
    gateway: refusing(isSuspect, () => page(406)),
  },
  {
    id: 'odd-texts-are-bad-requests',
    says: 'A firewall answers whatever has markup, quotes or escapes in it 400, with a body of its own.',
    gateway: refusing(isSuspect, () => Response.json({ message: 'Bad Request' }, { status: 400 })),
  },
  {
    id: 'odd-texts-are-not-implemented',
    says: 'A firewall answers whatever has markup, quotes or escapes in it 501, with a page of HTML.',
    gateway: refusing(isSuspect, () => page(501)),
  },
  {
    id: 'odd-texts-are-challenged',
    says: 'A firewall answers whatever has markup, quotes or escapes in it 202, with nothing but a header that says so.',
    gateway: refusing(
      isSuspect,
      () => new Response(null, { status: 202, headers: { 'X-Amzn-Waf-Action': 'challenge' } }),
    ),
  },
  {
    id: 'large-bodies-are-refused',
    says: 'A gateway takes no body of more than 8 KB, and answers 413 with a page of HTML.',
    gateway: refusing(
      (_, text) => text.length > 8192,
      () => page(413),
    ),
    untested: ['deleted-pool-cannot-run'],
  },
  {
    id: 'large-bodies-break-off',
    says: 'The connection ends where a body is larger than 64 KB.',
    gateway: (service) => async (request) => {
      const text = request.body ? await request.clone().text() : '';
      if (text.length > 65_536) throw new Error('The connection broke (ECONNRESET).');
      return service(request);
    },
  },
  {
    id: 'router-knows-no-other-id',
    says: 'A router has no path for an id that is no UUID: 404, with a page of HTML.',
    gateway: refusing(
      ({ url }) => url.includes('not-a-uuid'),
      () => page(404),
    ),
  },
  {
    id: 'router-takes-json-alone',
    says: 'A router answers what is not labelled as JSON 415, with a page of HTML.',
    gateway: refusing(
      ({ headers }, text) => text !== '' && headers.get('Content-Type') !== 'application/json',
      () => page(415),
    ),
  },
  {
    id: 'wrong-keys-are-shut-out',
    says: 'After forty requests with a wrong key or none a firewall answers them 403, with a page of HTML.',
    gateway: (service) => {
      let wrong = 0;
      return (request) => {
        if (keyOf(request) === keys.full || keyOf(request) === keys.restricted) return service(request);
        wrong += 1;
        return wrong > 40 ? Promise.resolve(page(403)) : service(request);
      };
    },
  },
];
