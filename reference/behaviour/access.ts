import { isUtf8 } from 'node:buffer';
import { type Bounds, type Operation, type OperationId, operations } from '../../generated/operations.js';
import { parameters, requests, type SchemaError } from '../../generated/validators.js';
import type { Choices } from '../choices.js';
import { Refusal } from '../errors.js';
import { keys, serviceKeys } from '../fixtures.js';
import type { ApiKey } from '../store.js';
import { readViolations, type Violation } from '../violations.js';

/** Who may call, and what a request must look like before anyone looks at what it asks for. */
export function accessBehaviour(choices: Choices) {
  /** gap: text-length-unit. interface: Limits. */
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

  /** Where the header has keys of its own, each stands for one of the others, and those are not taken there. */
  const secret = (headers: Headers, name: string): string | null => {
    const given = headers.get(name);
    if (given === null || name !== 'X-Service-Agents-Api-Key' || choices['service-agents-key'] === 'same') return given;
    return ownKeys.get(given) ?? '';
  };

  return {
    /** The secret in a header of the operation's own, and the one in another. */
    presentedKeys: (operation: OperationId, headers: Headers): { shown: string | null; other: string | null } => {
      const shown = keyHeadersOf(operations[operation]);
      const secrets = (names: readonly string[]) => names.flatMap((name) => secret(headers, name) ?? [])[0] ?? null;
      return { shown: secrets(shown), other: secrets(keyHeaders.filter((header) => !shown.includes(header))) };
    },

    /** The key that a request is made with, if it is valid. */
    authenticate: (
      presented: { shown: string | null; other: string | null },
      find: (secret: string) => ApiKey | undefined,
    ): ApiKey | undefined => {
      const { shown, other } = presented;
      const [byShown, byOther] = [shown, other].map((secret) => (secret === null ? undefined : find(secret)));
      if (other === null) return byShown;
      if (shown === null) return choices['header-names-interchangeable'] === 'yes' ? byOther : undefined;
      const ways = { shown: byShown, either: byShown ?? byOther, both: byOther && byShown };
      return ways[choices['key-in-both-headers']];
    },

    mayCall: (key: ApiKey, operation: OperationId): boolean => !key.denied.includes(operation),

    /** Whether the contract takes a text at a place of the path. */
    takesInPath: (operation: OperationId, name: string, text: string): boolean =>
      parameters[operation][name]?.(text) ?? false,

    /** gap: unsupported-media-type. A body that does not say what it is, is taken for JSON. */
    mediaTypeOf: (contentType: string | null): Refusal | 'json' | 'ignored' => {
      const choice = choices['unsupported-media-type'];
      if (choice === 'parsed' || contentType === null || json.test(contentType)) return 'json';
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

    /** What is wrong with a request's body by the schema of its operation. */
    violations: (operation: OperationId, body: unknown): Violation[] => {
      if (!(operation in requests)) return [];
      const validate = requests[operation as keyof typeof requests];
      const errors: readonly SchemaError[] = validate(body) ? [] : (validate.errors ?? []);
      return [...readViolations(operation, body, errors), ...tooLong(operation, body)];
    },

    /** Fields at the top of a body that nobody knows, when they are not ignored. */
    unknownFields: (body: object, known: ReadonlySet<string>): string[] =>
      choices['unknown-request-fields'] === 'ignored' ? [] : Object.keys(body).filter((field) => !known.has(field)),
  };
}

const keyHeadersOf = ({ keyHeader, otherKeyHeaders }: Operation): string[] => [keyHeader, ...otherKeyHeaders];

const ownKeys = new Map<string, string>(
  Object.entries(serviceKeys).map(([name, key]) => [key, keys[name as keyof typeof keys]]),
);

export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const json = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
