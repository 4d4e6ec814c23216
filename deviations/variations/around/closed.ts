/** Services of which something refuses a part for good. What needs that part cannot be judged: any rule may stay open. */

import { keys } from '../../../reference/fixtures.js';
import { asks, asksToStart } from '../../change.js';
import { behind, type Service, type Variation } from '../../variation.js';
import { keyOf, page } from './between.js';
import { forbidden, refusing } from './firewalls.js';

const describes = (_: Request, text: string) => text.includes('"description":"');

/** A quota: after so many of these requests with the full key, each is refused. */
const quota =
  (most: number, is: (request: Request) => boolean) =>
  (service: Service): Service => {
    let count = 0;
    return async (request) => {
      if (!is(request) || keyOf(request) !== keys.full) return service(request);
      count += 1;
      if (count <= most) return service(request);
      return Response.json({ code: 403, message: 'The quota of today is used up.' }, { status: 403 });
    };
  };

export const closedVariations: readonly Variation[] = behind({
  'texts-beyond-ascii-get-a-page': [
    refusing(
      (_, text) => /[<\u0080-\uffff]|\\u/.test(text),
      () => page(200),
    ),
    {
      open: true,
      notes: [/answered 200 with one page of HTML/],
    },
  ],
  'descriptions-are-forbidden': [
    refusing(describes, () => page(403)),
    { open: true, notes: [/answered 403 with one page of HTML/] },
  ],
  'descriptions-are-forbidden-in-json': [
    refusing(describes, forbidden),
    { open: true, notes: [/answered 403 with JSON that is not in the contract/] },
  ],
  'starts-are-redirected': [
    (service) => async (request) =>
      asks(request, 'execute')
        ? new Response(null, { status: 308, headers: { Location: `${request.url}/` } })
        : service(request),
    { open: true, notes: [/^Every execute was redirected \(308\) to http/] },
  ],
  'quota-of-executions': [quota(20, asksToStart), { open: true, notes: [] }],
  'quota-of-copies': [quota(2, (request) => asks(request, 'duplicateProfile')), { open: true, notes: [] }],
});
