import { componentName, type Document, type Operation, resolve } from './document.js';
import type { Schema } from './schema.js';
import { source } from './text.js';

type Keywords = { [keyword: string]: unknown };

export function operationsModule(document: Document, operations: Operation[]): string {
  const entries = operations.map((operation) => {
    const entry = {
      method: operation.method,
      path: operation.path,
      pathParameter: operation.pathParameter,
      keyHeader: operation.keyHeader,
      responses: Object.fromEntries(
        operation.responses.map(({ status, success }) => [status, success ? 'success' : 'error']),
      ),
      errorBody: errorBody(document, operation),
      requestBody: operation.request ? (operation.request.required ? 'required' : 'optional') : 'none',
      exclusive: operation.request ? exclusivePairs(document, operation.request.schema) : [],
      bounds: operation.request ? bounds(document, operation.request.schema) : {},
      deprecatedFields: operation.request ? deprecatedFields(document, operation.request.schema) : [],
    };
    return `  ${operation.id}: ${source(entry)},`;
  });
  return `export interface Operation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';
  readonly path: string;
  readonly pathParameter: string;
  /** The header that carries the API key. */
  readonly keyHeader: string;
  /** By status (\`200\`), range (\`4XX\`) or \`default\`, as the document lists them. */
  readonly responses: Readonly<Record<string, 'success' | 'error'>>;
  readonly errorBody: 'standard' | 'simple' | 'either';
  readonly requestBody: 'required' | 'optional' | 'none';
  /** Pairs of request fields that may not be given together. */
  readonly exclusive: readonly (readonly [string, string])[];
  /** By request field (\`timeoutSeconds\`, \`executionOptions.softTimeoutMins\`): the numbers or lengths that it may have. */
  readonly bounds: Readonly<Record<string, Bounds>>;
  /** Request fields that are deprecated. */
  readonly deprecatedFields: readonly string[];
}

/** Of a whole number, or of the characters of a text. */
export interface Bounds {
  readonly of: 'integer' | 'length';
  readonly minimum?: number;
  readonly maximum?: number;
}

export const operations = {
${entries.join('\n')}
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

export const operationIds = ${source(operations.map(({ id }) => id))} as const satisfies readonly OperationId[];

/** The headers that carry API keys, in small letters: their names have no case. */
export const keyHeaders: readonly string[] = ${source([...new Set(operations.map(({ keyHeader }) => keyHeader.toLowerCase()))])};

/** The interface's own version label. */
export const contractVersion = ${source(document.info.version)};
`;
}

/** What whoever sends has to know: small, since every application that calls a service carries it. */
export function sendsModule(document: Document, operations: Operation[]): string {
  const entries = operations.map(({ id, method, path, keyHeader, request }) => {
    const [exclusive, limits] = request
      ? [exclusivePairs(document, request.schema), bounds(document, request.schema)]
      : [[], {}];
    const entry = {
      method,
      path,
      keyHeader,
      ...(exclusive.length > 0 && { exclusive }),
      ...(Object.keys(limits).length > 0 && { bounds: limits }),
    };
    return `  ${id}: ${source(entry)},`;
  });
  return `import type { Operation, OperationId } from './operations.js';

/** Of an operation, what whoever sends has to know. */
export type Sent = Pick<Operation, 'method' | 'path' | 'keyHeader'> & Partial<Pick<Operation, 'exclusive' | 'bounds'>>;

export const sends = {
${entries.join('\n')}
} as const satisfies Readonly<Record<OperationId, Sent>>;
`;
}

function errorBody(document: Document, operation: Operation): 'standard' | 'simple' | 'either' {
  const names = new Set(
    operation.responses.flatMap(({ success, body }) => (success || !body ? [] : componentsOf(document, body.schema))),
  );
  const standard = names.has('StandardError');
  const simple = names.has('SimpleError');
  if (!standard && !simple)
    throw new Error(`${operation.id}: no error response has StandardError or SimpleError for its body.`);
  return standard && simple ? 'either' : standard ? 'standard' : 'simple';
}

/** The component schemas that a schema is, extends or chooses from. */
function componentsOf(document: Document, schema: Schema): string[] {
  const { allOf, anyOf, oneOf } = resolve<Record<string, Schema[] | undefined>>(document, schema);
  const parts = [allOf, anyOf, oneOf].flatMap((list) => list ?? []);
  return [componentName(schema) ?? [], parts.flatMap((part) => componentsOf(document, part))].flat();
}

/** A schema with all that is under its `allOf`, references followed. */
function conjuncts(document: Document, schema: Schema): Keywords[] {
  const resolved = resolve<Schema>(document, schema);
  if (typeof resolved === 'boolean') return [];
  return [resolved, ...((resolved.allOf as Schema[] | undefined) ?? []).flatMap((part) => conjuncts(document, part))];
}

/** Two fields exclude each other where an `anyOf` leaves out the one or the other. */
export function exclusivePairs(document: Document, schema: Schema): [string, string][] {
  return conjuncts(document, schema).flatMap(({ anyOf }): [string, string][] => {
    const leftOut = ((anyOf as Schema[] | undefined) ?? []).map((branch) => {
      const { properties = {} } = resolve<{ properties?: Record<string, Schema> }>(document, branch);
      return Object.keys(properties).filter((name) => properties[name] === false);
    });
    const [[one] = [], [other] = []] = leftOut;
    return leftOut.length === 2 && one !== undefined && other !== undefined && one !== other ? [[other, one]] : [];
  });
}

function deprecatedFields(document: Document, schema: Schema): string[] {
  const properties = conjuncts(document, schema).flatMap((part) =>
    Object.entries((part.properties as Keywords | undefined) ?? {}),
  );
  return properties.filter(([, property]) => (property as Keywords).deprecated === true).map(([name]) => name);
}

interface Bounds {
  of: 'integer' | 'length';
  minimum?: number;
  maximum?: number;
}

/** The bounds of the fields of a request and of the objects in it, by the field's path. */
function bounds(document: Document, schema: Schema, path = ''): Record<string, Bounds> {
  const found: Record<string, Bounds> = {};
  for (const { properties } of conjuncts(document, schema)) {
    for (const [name, property] of Object.entries((properties as Record<string, Schema> | undefined) ?? {})) {
      const field = path + name;
      for (const part of conjuncts(document, property)) {
        const bound = boundsOf(part as Record<string, number | undefined>);
        if (bound) found[field] = bound;
      }
      Object.assign(found, bounds(document, property, `${field}.`));
    }
  }
  return found;
}

function boundsOf({ type, minimum, maximum, minLength, maxLength }: Record<string, unknown>): Bounds | undefined {
  const [of, least, most] =
    type === 'integer' ? (['integer', minimum, maximum] as const) : (['length', minLength, maxLength] as const);
  if (least === undefined && most === undefined) return undefined;
  return {
    of,
    ...(least !== undefined && { minimum: least as number }),
    ...(most !== undefined && { maximum: most as number }),
  };
}
