/** Generates generated/operations.ts and generated/sends.ts. */

import { isJsonType } from '../../common/values.js';
import type { Document, Operation } from './document.js';
import { componentName, componentsOf, conjuncts, propertiesIn, resolve } from './resolve.js';
import { made } from './samples.js';
import type { Schema } from './schema.js';
import { source } from './text.js';
import { effects } from './traits.js';

type Keywords = { [keyword: string]: unknown };

export function operationsModule(document: Document, operations: Operation[]): string {
  const entries = operations.map((operation) => {
    const { traits, request, parameters } = operation;
    const entry = {
      method: operation.method,
      path: operation.path,
      otherPaths: operation.others.map(({ path }) => path),
      deprecatedPaths: [operation, ...operation.others].flatMap(({ path, deprecated }) => (deprecated ? [path] : [])),
      pathParameters: parameters.flatMap((one) => (one.in === 'path' ? [one.name] : [])),
      otherIds: otherIds(document, operation),
      queryParameters: parameters.flatMap((one) => (one.in === 'query' ? [described(document, one)] : [])),
      keyHeader: operation.keyHeaders[0],
      otherKeyHeaders: operation.keyHeaders.slice(1),
      resource: traits.resource,
      subject: traits.subject ?? null,
      effect: traits.effect,
      repeatable: traits.repeatable,
      waits: traits.waits ?? null,
      key: traits.key ?? null,
      essential: traits.essential ?? null,
      responses: Object.fromEntries(
        operation.responses.map(({ status, success }) => [status, success ? 'success' : 'error']),
      ),
      successes: Object.fromEntries(
        operation.responses.flatMap(({ status, success, body }) =>
          success ? [[status, { schema: (body && componentName(body.schema)) ?? null }]] : [],
        ),
      ),
      failures: Object.fromEntries(
        operation.responses.flatMap(({ status, success, body }) =>
          success ? [] : [[status, (body && componentName(body.schema)) ?? null]],
        ),
      ),
      requiredHeaders: Object.fromEntries(
        operation.responses.flatMap(({ status, headers }) => {
          const names = headers.flatMap(({ name, required }) => (required ? name : []));
          return names.length > 0 ? [[status, names]] : [];
        }),
      ),
      openSuccess: operation.responses.find(({ status }) => status === '2XX')?.gap ?? null,
      errorBody: errorBody(document, operation),
      requestBody: request ? (request.required ? 'required' : 'optional') : 'none',
      requestTypes: request?.mediaTypes ?? [],
      requestSchema: (request?.body && componentName(request.body.schema)) ?? null,
      requestFields: request?.body ? [...propertiesIn(document, request.body.schema).keys()] : [],
      exclusive: request?.body ? exclusivePairs(document, request.body.schema) : [],
      bounds: request?.body ? bounds(document, request.body.schema) : {},
      deprecatedFields: request?.body ? deprecatedFields(document, request.body.schema, operation.id) : {},
    };
    return `  ${operation.id}: ${source(entry)},`;
  });
  const headers = operations.flatMap(({ keyHeaders }) => keyHeaders);
  return `import type { GapId } from './rules.js';
import type { schemas } from './validators.js';

export interface Operation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';
  readonly path: string;
  /** Other paths to it, with the same parameters. */
  readonly otherPaths: readonly string[];
  /** Those of all its paths that are deprecated. */
  readonly deprecatedPaths: readonly string[];
  /** The names of its path parameters, in order. */
  readonly pathParameters: readonly string[];
  /** The path parameters that are no UUIDs, by name: their pattern, and an example. */
  readonly otherIds: Readonly<Record<string, { readonly pattern: string; readonly sample: string }>>;
  readonly queryParameters: readonly Parameter[];
  /** The header that carries the API key. */
  readonly keyHeader: string;
  /** Other headers that may carry the key instead. */
  readonly otherKeyHeaders: readonly string[];
  /** The kind of thing that the operation is about. */
  readonly resource: Resource;
  /** The kind of thing whose id is last in its path. */
  readonly subject: Resource | null;
  /** What it does to that thing. */
  readonly effect: ${effects.map(source).join(' | ')};
  /** Whether it is idempotent. */
  readonly repeatable: boolean;
  /** By what it answers only when what it is about has happened, or when a time is over. */
  readonly waits: Wait | null;
  /** The field of its success with the id of the thing that it starts or makes, or is about. */
  readonly key: string | null;
  /**
   * The field that every success must have, and its type: \`uuid\` or a JSON type. With an empty name it is the whole
   * body. Null: a success may be empty.
   */
  readonly essential: readonly [name: string, holds: string] | null;
  /** The responses by status (\`200\`), range (\`4XX\`) or \`default\`, in the order of the document. */
  readonly responses: Readonly<Record<string, 'success' | 'error'>>;
  readonly successes: Readonly<Record<string, Success>>;
  /** The name of the schema of each error body; null if it has no name. */
  readonly failures: Readonly<Record<string, keyof typeof schemas | null>>;
  /** The required headers of answers, by status or range. */
  readonly requiredHeaders: Readonly<Record<string, readonly string[]>>;
  /** The gap about its success status, if the contract leaves that open. */
  readonly openSuccess: GapId | null;
  readonly errorBody: 'standard' | 'simple' | 'either';
  readonly requestBody: 'required' | 'optional' | 'none';
  /** The media types of its request body. */
  readonly requestTypes: readonly string[];
  /** The name of the schema of its JSON body; null if the schema has no name, or there is no such body. */
  readonly requestSchema: keyof typeof schemas | null;
  /** The top-level fields of its request body. */
  readonly requestFields: readonly string[];
  /** Pairs of request fields that exclude each other. */
  readonly exclusive: readonly (readonly [string, string])[];
  /** The bounds of request fields (\`timeoutSeconds\`, \`executionOptions.softTimeoutMins\`). */
  readonly bounds: Readonly<Record<string, Bounds>>;
  /** Deprecated request fields, each with the field that replaces it, or null. */
  readonly deprecatedFields: Readonly<Record<string, string | null>>;
}

/** The kinds of things that operations are about. */
export type Resource = ${
    Object.keys(document['x-resources'] ?? {})
      .map(source)
      .join(' | ') || 'never'
  };

/** The field of a request, or its parameter, that says how many seconds its answer may wait. */
export interface Wait {
  readonly name: string;
  /** How many it waits without that. */
  readonly usual: number;
  readonly longest: number;
}

/** A parameter of the query. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** The type of its value; for a list, of each item. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly isList: boolean;
  readonly deprecated: boolean;
  /** A valid value as text: the contract's example, if there is one. */
  readonly sample: string;
}

/** What a success carries. */
export interface Success {
  /** The name of the schema of its JSON body; null if the schema has no name, or there is no such body. */
  readonly schema: keyof typeof schemas | null;
}

/** Bounds of an integer, or of the length of a text in characters. */
export interface Bounds {
  readonly of: 'integer' | 'length';
  readonly minimum?: number;
  readonly maximum?: number;
}

export const operations = {
${entries.join('\n')}
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** The operations with these traits: \`OperationWith<{ effect: 'starts' }>\`. */
export type OperationWith<Traits extends Partial<Operation>> = {
  [Id in OperationId]: (typeof operations)[Id] extends Traits ? Id : never;
}[OperationId];

/** A field of the body of an operation that is not deprecated. */
export type PresentField<Id extends OperationId> = Exclude<
  (typeof operations)[Id]['requestFields'][number],
  keyof (typeof operations)[Id]['deprecatedFields']
>;

export const operationIds = ${source(operations.map(({ id }) => id))} as const satisfies readonly OperationId[];

/** The headers that carry API keys. */
export const keyHeaders: readonly string[] = ${source([...new Set(headers)])};

/** The interface's own version label. */
export const contractVersion = ${source(document.info.version)};
`;
}

/** Generates what a client must know about operations. It must be small: every application contains it. */
export function sendsModule(document: Document, operations: Operation[]): string {
  const entries = operations.map((operation) => {
    const { id, method, path, keyHeaders, traits, request } = operation;
    const patterns = Object.entries(otherIds(document, operation)).map(([name, { pattern }]) => [name, pattern]);
    const [exclusive, limits] = request?.body
      ? [exclusivePairs(document, request.body.schema), bounds(document, request.body.schema)]
      : [[], {}];
    for (const { in: place, name, schema } of operation.parameters)
      if (place === 'query') Object.assign(limits, named(name, boundsIn(document, schema)));
    const fields = request?.body ? fieldNames(document, request.body.schema) : [];
    const mediaType = request?.mediaTypes.find(isJsonType);
    const entry = {
      method,
      path,
      keyHeader: keyHeaders[0],
      ...(patterns.length > 0 && { otherIds: Object.fromEntries(patterns) }),
      ...(request && { requestBody: request.required ? 'required' : 'optional' }),
      ...(fields.length > 0 && { fields: fields.join(' ') }),
      ...(mediaType !== undefined && mediaType !== 'application/json' && { mediaType }),
      ...(traits.effect === 'starts' && { starts: true }),
      ...(traits.essential && { essential: traits.essential }),
      ...(exclusive.length > 0 && { exclusive }),
      ...(Object.keys(limits).length > 0 && { bounds: limits }),
      ...(traits.waits && { waits: [traits.waits.name, traits.waits.usual] }),
    };
    return `  ${id}: ${source(entry)},`;
  });
  return `import type { Operation, OperationId } from './operations.js';

/** What a client must know about an operation to send it. The bounds are also those of its parameters. */
export type Sent = Pick<Operation, 'method' | 'path' | 'keyHeader'> &
  Partial<Pick<Operation, 'requestBody' | 'exclusive' | 'bounds'>> & {
    readonly essential?: NonNullable<Operation['essential']>;
    /** The fields of its request, and with a dot those of objects in it. */
    readonly fields?: string;
    /** The field or parameter that says how many seconds its answer may wait, and how many it waits without. */
    readonly waits?: readonly [name: string, usual: number];
    /** The media type of its request, if it is not \`application/json\`. */
    readonly mediaType?: string;
    /** The patterns of path parameters that are no UUIDs, by name. */
    readonly otherIds?: Readonly<Record<string, string>>;
    /** Whether it starts something, so that sending it again would start another. */
    readonly starts?: true;
  };

/** What all paths begin with. */
export const pathPrefix = '${prefixOf(operations)}';

export const sends = {
${entries.join('\n')}
} as const satisfies Readonly<Record<OperationId, Sent>>;
`;
}

/** The fields of a request, and with a dot those of objects in it. */
const fieldNames = (document: Document, schema: Schema): string[] =>
  [...propertiesIn(document, schema)].flatMap(([name, inner]) => [
    name,
    ...inner.flatMap((one) => [...propertiesIn(document, one).keys()]).map((field) => `${name}.${field}`),
  ]);

/** The longest beginning of all paths, of whole parts. */
function prefixOf(operations: readonly Operation[]): string {
  const [first = [], ...others] = operations.map(({ path }) => path.split('/'));
  const end = first.findIndex((part, place) => others.some((parts) => parts[place] !== part));
  return first.slice(0, end < 0 ? -1 : end).join('/');
}

/** Any text but none, `.` and `..`, which would lead to another path. */
const anyText = '^(?!\\.{0,2}$)';

/** The path parameters that are no UUIDs, by name. Unknown ids are made up like the example. */
export function otherIds(
  document: Document,
  { id, parameters }: Operation,
): Record<string, { pattern: string; sample: string }> {
  const found = parameters.flatMap(({ in: place, name, schema, example }) => {
    const parts = place === 'path' ? conjuncts(document, schema) : [];
    if (place !== 'path' || parts.some(({ format }) => format === 'uuid')) return [];
    const [pattern = anyText] = parts.flatMap(({ pattern }) => (pattern as string | undefined) ?? []);
    const isText = parts.some(({ type }) => type === 'string') && !parts.some((part) => 'enum' in part);
    const matches = (text: unknown) => typeof text === 'string' && new RegExp(pattern, 'u').test(text);
    if (!isText || !matches(example) || ['', '.', '..'].some(matches))
      throw new Error(
        `${id}: ${name} in the path must be a UUID, or any text or a text with a pattern that takes no dots alone, without enum, and with an example.`,
      );
    return [[name, { pattern, sample: `${example}` }] as const];
  });
  return Object.fromEntries(found);
}

/** Describes a parameter for those who parse its text. */
function described(
  document: Document,
  { name, required, schema, example, deprecated }: Operation['parameters'][number],
) {
  const typesOf = (of: Schema) => conjuncts(document, of).flatMap(({ type }) => (type as string | string[]) ?? []);
  const items = conjuncts(document, schema).find((part) => part.items !== undefined)?.items as Schema | undefined;
  const [type = 'string'] = typesOf(items ?? schema).filter((one) => scalars.includes(one));
  // Each item of a list is a parameter of its own.
  const [sample] = [example ?? made(document, schema)].flat();
  return { name, required, type, isList: items !== undefined, deprecated, sample: `${sample}` };
}

const scalars: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

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

/** Pairs of fields that exclude each other: an `anyOf` with two branches, each of which forbids one of the fields. */
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

/** The deprecated fields of a request, each with the field that replaces it (`x-replaced-by`), or null. */
function deprecatedFields(document: Document, schema: Schema, operation: string): Record<string, string | null> {
  const fields = propertiesIn(document, schema);
  const isDeprecated = (one: Schema) => (one as Keywords).deprecated === true;
  const old = [...fields].filter(([, all]) => all.every(isDeprecated));
  return Object.fromEntries(
    old.map(([name, all]) => {
      const [by = null] = all.flatMap((one) => ((one as Keywords)['x-replaced-by'] as string | undefined) ?? []);
      if (by !== null && !fields.has(by))
        throw new Error(`${operation}: x-replaced-by of ${name} names ${by}, which is no field of the request.`);
      return [name, by];
    }),
  );
}

interface Bounds {
  of: 'integer' | 'length';
  minimum?: number;
  maximum?: number;
}

/** The bounds of a request's fields, including nested ones, by path. */
function bounds(document: Document, schema: Schema, path = ''): Record<string, Bounds> {
  const found: Record<string, Bounds> = {};
  for (const { properties } of conjuncts(document, schema)) {
    for (const [name, property] of Object.entries((properties as Record<string, Schema> | undefined) ?? {})) {
      const field = path + name;
      Object.assign(found, named(field, boundsIn(document, property)));
      Object.assign(found, bounds(document, property, `${field}.`));
    }
  }
  return found;
}

const named = (name: string, bound: Bounds | undefined) => (bound ? { [name]: bound } : {});

/** The bounds of one value: those that are stated last. */
const boundsIn = (document: Document, schema: Schema): Bounds | undefined =>
  conjuncts(document, schema)
    .flatMap((part) => boundsOf(part) ?? [])
    .at(-1);

function boundsOf({ type, minimum, maximum, minLength, maxLength }: Record<string, unknown>): Bounds | undefined {
  const [of, least, most] = [type].flat().includes('integer')
    ? (['integer', minimum, maximum] as const)
    : (['length', minLength, maxLength] as const);
  if (least === undefined && most === undefined) return undefined;
  return {
    of,
    ...(least !== undefined && { minimum: least as number }),
    ...(most !== undefined && { maximum: most as number }),
  };
}
