/** Firewalls that refuse certain requests every time. */

import { keys } from '../../../reference/fixtures.js';
import { behind, type Service, type Variation } from '../../variation.js';
import { keyOf, page } from './between.js';

export const forbidden = () => Response.json({ message: 'Forbidden' }, { status: 403 });

/** A firewall that answers certain requests itself. */
export const refusing =
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

export const firewallVariations: readonly Variation[] = [
  ...behind({
    'odd-bodies-are-forbidden': [
      'A firewall answers what is large or no JSON 403, with a page of HTML.',
      refusing(looksOdd, () => page(403)),
    ],
    'odd-bodies-are-forbidden-in-json': [
      'A firewall answers what is large or no JSON 403, with a body of its own.',
      refusing(looksOdd, forbidden),
    ],
    'odd-texts-are-forbidden': [
      'A firewall answers whatever has markup, quotes or escapes in it 403, with a page of HTML.',
      refusing(isSuspect, () => page(403)),
    ],
    'odd-texts-are-forbidden-in-json': [
      'A firewall answers whatever has markup, quotes or escapes in it 403, with a body of its own.',
      refusing(isSuspect, forbidden),
    ],
    'odd-texts-are-not-acceptable': [
      'A firewall answers whatever has markup, quotes or escapes in it 406, with a page of HTML.',
      refusing(isSuspect, () => page(406)),
    ],
    'odd-texts-are-bad-requests': [
      'A firewall answers whatever has markup, quotes or escapes in it 400, with a body of its own.',
      refusing(isSuspect, () => Response.json({ message: 'Bad Request' }, { status: 400 })),
    ],
    'odd-texts-are-not-implemented': [
      'A firewall answers whatever has markup, quotes or escapes in it 501, with a page of HTML.',
      refusing(isSuspect, () => page(501)),
    ],
    'odd-texts-are-challenged': [
      'A firewall answers whatever has markup, quotes or escapes in it 202, with nothing but a header that says so.',
      refusing(isSuspect, () => new Response(null, { status: 202, headers: { 'X-Amzn-Waf-Action': 'challenge' } })),
    ],
    'large-bodies-are-refused': [
      'A gateway takes no body of more than 8 KB, and answers 413 with a page of HTML.',
      refusing(
        (_, text) => text.length > 8192,
        () => page(413),
      ),
      { untested: ['deleted-pool-cannot-run'] },
    ],
    'large-bodies-break-off': [
      'The connection ends where a body is larger than 64 KB.',
      (service) => async (request) => {
        const text = request.body ? await request.clone().text() : '';
        if (text.length > 65_536) throw new Error('The connection broke (ECONNRESET).');
        return service(request);
      },
    ],
    'router-knows-no-other-id': [
      'A router has no path for an id that is no UUID: 404, with a page of HTML.',
      refusing(
        ({ url }) => url.includes('not-a-uuid'),
        () => page(404),
      ),
    ],
    'router-takes-json-alone': [
      'A router answers what is not labelled as JSON 415, with a page of HTML.',
      refusing(
        ({ headers }, text) => text !== '' && headers.get('Content-Type') !== 'application/json',
        () => page(415),
      ),
    ],
    'wrong-keys-are-shut-out': [
      'After forty requests with a wrong key or none a firewall answers them 403, with a page of HTML.',
      (service) => {
        let wrong = 0;
        return (request) => {
          if (keyOf(request) === keys.full || keyOf(request) === keys.restricted) return service(request);
          wrong += 1;
          return wrong > 40 ? Promise.resolve(page(403)) : service(request);
        };
      },
    ],
  }),
];
