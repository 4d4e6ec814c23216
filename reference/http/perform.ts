/** Performs a call: authenticates it, reads and validates the request, and calls the handler. */

import { type Operation, operations } from '../../generated/operations.js';
import { keyHeadersOf, type PresentedKeys } from '../behaviour/access.js';
import type { Answer, Call } from '../call.js';
import { Refusal } from '../errors.js';
import type { Context } from '../handlers/context.js';
import { createHandlers } from '../handlers/index.js';
import type { Service } from '../service.js';
import type { ApiKey } from '../store.js';
import { readBody } from './body.js';
import { knownFields } from './fields.js';
import { readParameters } from './parameters.js';

/** The message for a 401. It names the right header, because many clients know only one of the two. */
function whyNotLetIn(
  { operation, headers }: Call,
  { shown, other }: PresentedKeys,
  find: (secret: string) => ApiKey | undefined,
): string {
  const header = keyHeadersOf(operations[operation]).join(' or ');
  if (shown !== null && find(shown)) return 'One of the two API keys is invalid.';
  if (shown !== null) return `The API key in the header ${header} is invalid.`;
  if (other !== null && find(other)) return `The API key is in another header: ${operation} takes it in ${header}.`;
  const place = headers.has('authorization') ? `${header}, not in Authorization` : header;
  return `The API key is missing: ${operation} takes it in the header ${place}.`;
}

/** Creates the function that performs a call. It throws a Refusal for a call that is refused. */
export function createPerformer(service: Service): (call: Call, request: Request) => Promise<Answer> {
  const { behaviour, choices, limits, store } = service;
  const handlers = createHandlers(service);

  function admit(call: Call): void {
    const presented = behaviour.presentedKeys(call.operation, call.headers);
    const find = (secret: string) => store.keys.get(secret);
    const key = behaviour.authenticate(presented, find);
    if (!key) throw new Refusal(401, whyNotLetIn(call, presented, find));
    if (!behaviour.mayCall(key, call.operation)) throw new Refusal(403, 'The API key lacks the permission.');
    call.key = key;
  }

  async function read(call: Call, request: Request): Promise<void> {
    const { requestBody }: Operation = operations[call.operation];
    call.given = readParameters(call, behaviour, choices);
    if (requestBody === 'none') return;
    const { value, size } = await readBody(request, limits, behaviour);
    if (value === undefined) {
      if (requestBody === 'required') throw new Refusal(400, 'A JSON body is required.');
      return;
    }
    refuseViolations(call, value);
    call.body = value;
    call.size = size;
  }

  function refuseViolations({ operation }: Call, body: unknown): void {
    const violations = behaviour.violations(operation, body);
    if (violations.length > 0) {
      const contradicts = violations.every(({ kind }) => kind === 'exclusivity');
      const errors = violations.map(({ parameter, detail }) => ({ parameter, detail }));
      const message = errors.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ');
      throw new Refusal(contradicts ? choices['exclusivity-status'] : 400, `${message}.`, errors);
    }
    const unknown = behaviour.unknownFields(body as object, knownFields(operation));
    if (unknown.length > 0)
      throw new Refusal(
        400,
        `Unknown: ${unknown.join(', ')}.`,
        unknown.map((parameter) => ({ parameter, detail: 'is unknown' })),
      );
  }

  return async (call, request) => {
    if (choices['auth-before-validation'] === 'yes') {
      admit(call);
      await read(call, request);
    } else {
      await read(call, request);
      admit(call);
    }
    const { operation, given, body, key } = call;
    const organization = key && store.organizations.get(key.organizationId);
    if (!organization) throw new Error('A key of no organization.');
    // The request was validated above; the type system cannot connect that with the name of the operation.
    const handle = handlers[operation] as (request: object, context: Context) => Promise<Answer>;
    return handle({ body, ...given }, { call, key, organization });
  };
}
