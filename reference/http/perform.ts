import { type Operation, operations } from '../../generated/operations.js';
import type { Answer, Call } from '../call.js';
import { Refusal } from '../errors.js';
import type { Context } from '../handlers/context.js';
import { createHandlers } from '../handlers/index.js';
import type { Service } from '../service.js';
import { readBody } from './body.js';
import { knownFields } from './fields.js';
import { readParameters } from './parameters.js';

/** From a call to its answer. Throws the refusal of a call that is not let in, or not understood, or not granted. */
export function createPerformer(service: Service): (call: Call, request: Request) => Promise<Answer> {
  const { behaviour, choices, limits, store } = service;
  const handlers = createHandlers(service);

  function admit(call: Call): void {
    const presented = behaviour.presentedKeys(call.operation, call.headers);
    const key = behaviour.authenticate(presented, (secret) => store.keys.get(secret));
    if (!key) throw new Refusal(401, 'The API key is missing or invalid.');
    if (!behaviour.mayCall(key, call.operation)) throw new Refusal(403, 'The API key lacks the permission.');
    call.key = key;
  }

  async function read(call: Call, request: Request): Promise<void> {
    const { requestBody, requestTypes }: Operation = operations[call.operation];
    call.given = readParameters(call, behaviour, choices);
    if (requestBody === 'none') return;
    const { value, size } = await readBody(request, requestTypes, limits, behaviour);
    if (value === undefined) {
      if (requestBody === 'required') throw new Refusal(400, 'A JSON body is required.');
      return;
    }
    if (!(value instanceof Uint8Array)) refuseViolations(call, value);
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
    // What the handler takes was held to its schema above; the compiler cannot follow it through the name.
    const handle = handlers[operation] as (request: object, context: Context) => Promise<Answer>;
    return handle({ ...given, body }, { call, key, organization });
  };
}
