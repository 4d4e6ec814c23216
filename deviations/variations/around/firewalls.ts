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

const isSuspect = (_: Request, text: string) => /<b>|'s"|%20|C:\\\\|\\u0000/.test(text);

export const firewallVariations: readonly Variation[] = behind({
  'odd-texts-are-not-acceptable': refusing(isSuspect, () => page(406)),
  'odd-texts-are-bad-requests': refusing(isSuspect, () => Response.json({ message: 'Bad Request' }, { status: 400 })),
  'odd-texts-are-not-implemented': refusing(isSuspect, () => page(501)),
  'odd-texts-are-challenged': refusing(
    isSuspect,
    () => new Response(null, { status: 202, headers: { 'X-Amzn-Waf-Action': 'challenge' } }),
  ),
  'large-bodies-break-off': (service) => async (request) => {
    const text = request.body ? await request.clone().text() : '';
    if (text.length > 65_536) throw new Error('The connection broke (ECONNRESET).');
    return service(request);
  },
  'router-knows-no-other-id-in-json': refusing(
    ({ url }) => url.includes('not-a-uuid'),
    () => Response.json({ message: 'No route matched.' }, { status: 404 }),
  ),
  'wrong-keys-are-shut-out': (service) => {
    let wrong = 0;
    return (request) => {
      if (keyOf(request) === keys.full || keyOf(request) === keys.restricted) return service(request);
      wrong += 1;
      return wrong > 40 ? Promise.resolve(page(403)) : service(request);
    };
  },
});
