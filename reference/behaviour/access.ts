/** Authentication, permission, and validation of requests. */

import { isUtf8 } from 'node:buffer';
import { isJsonType } from '../../common/values.js';
import { type Bounds, type Operation, type OperationId, operations } from '../../generated/operations.js';
import { parameters, requests, type SchemaError } from '../../generated/validators.js';
import type { Choices } from '../choices.js';
import { Refusal } from '../errors.js';
import { keys, serviceKeys } from '../fixtures.js';
import type { ApiKey } from '../store.js';
import { readViolations, type Violation } from '../violations.js';

/** The key in the header that the interface shows for the operation, and the key in the other one. */
export interface PresentedKeys {
  readonly shown: string | null;
  readonly other: string | null;
}

/** The behaviour for access: who may call, and which requests are malformed. */
export function accessBehaviour(choices: Choices) {
  /** gap: text-length-unit. interface: Limits. Texts that are too long only if counted in UTF-16 units. */
  const tooLong = (operation: OperationId, body: unknown): Violation[] => {
    if (choices['text-length-unit'] === 'characters') return [];
    const asked: Readonly<Record<string, unknown>> = Object(body);
    return Object.entries<Bounds>(operations[operation].bounds).flatMap(([parameter, { of, maximum }]) => {
      const value = asked[parameter];
      if (of !== 'length' || maximum === undefined || typeof value !== 'string') return [];
      return value.length > maximum && [...value].length <= maximum
        ? [{ kind: 'value', parameter, detail: `must have ${maximum} or fewer characters` }]
        : [];
    });
  };
  const keyHeaders = [...new Set(Object.values(operations).flatMap(keyHeadersOf))];

  /** If the header takes its own keys, they are mapped to the usual ones, which are not accepted there. */
  const secret = (headers: Headers, name: string): string | null => {
    const given = headers.get(name);
    if (given === null || name !== 'X-Service-Agents-Api-Key' || choices['service-agents-key'] === 'same') return given;
    return ownKeys.get(given) ?? '';
  };

  return {
    presentedKeys: (operation: OperationId, headers: Headers): PresentedKeys => {
      const shown = keyHeadersOf(operations[operation]);
      const secrets = (names: readonly string[]) => names.flatMap((name) => secret(headers, name) ?? [])[0] ?? null;
      return { shown: secrets(shown), other: secrets(keyHeaders.filter((header) => !shown.includes(header))) };
    },

    /** The key that authenticates the request, if any. */
    authenticate: (
      { shown, other }: PresentedKeys,
      find: (secret: string) => ApiKey | undefined,
    ): ApiKey | undefined => {
      const [byShown, byOther] = [shown, other].map((secret) => (secret === null ? undefined : find(secret)));
      if (other === null) return byShown;
      if (shown === null) return choices['header-names-interchangeable'] === 'yes' ? byOther : undefined;
      const ways = { shown: byShown, either: byShown ?? byOther, both: byOther && byShown };
      return ways[choices['key-in-both-headers']];
    },

    mayCall: (key: ApiKey, operation: OperationId): boolean => !key.denied.includes(operation),

    /** Whether a path parameter is valid by the contract. */
    takesInPath: (operation: OperationId, name: string, text: string): boolean =>
      parameters[operation][name]?.(text) ?? false,

    /** gap: unsupported-media-type. A body without a Content-Type is taken for JSON. */
    mediaTypeOf: (contentType: string | null): Refusal | 'json' | 'ignored' => {
      const choice = choices['unsupported-media-type'];
      if (choice === 'parsed' || contentType === null || isJsonType(contentType)) return 'json';
      return choice === 'ignored' ? choice : new Refusal(choice, 'The body must be JSON, and Content-Type say so.');
    },

    parseBody: (bytes: Uint8Array): unknown => {
      if (!isUtf8(bytes)) throw new Refusal(400, 'The body is not valid UTF-8.');
      try {
        return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
      } catch {
        throw new Refusal(400, 'The body is not valid JSON.');
      }
    },

    /** The violations of the operation's schema by a request body. */
    violations: (operation: OperationId, body: unknown): Violation[] => {
      if (!(operation in requests)) return [];
      const validate = requests[operation as keyof typeof requests];
      const errors: readonly SchemaError[] = validate(body) ? [] : (validate.errors ?? []);
      return [...readViolations(operation, body, errors), ...tooLong(operation, body)];
    },

    /** Unknown top-level fields of a body, if they are refused. */
    unknownFields: (body: object, known: ReadonlySet<string>): string[] =>
      choices['unknown-request-fields'] === 'ignored' ? [] : Object.keys(body).filter((field) => !known.has(field)),
  };
}

/** The headers that an operation takes its key in, the usual one first. */
export const keyHeadersOf = ({ keyHeader, otherKeyHeaders }: Operation): string[] => [keyHeader, ...otherKeyHeaders];

const ownKeys = new Map<string, string>(
  Object.entries(serviceKeys).map(([name, key]) => [key, keys[name as keyof typeof keys]]),
);
