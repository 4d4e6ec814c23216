/** Reads the operations of a bundled OpenAPI document. */

import { isJsonType } from '../../common/values.js';
import { componentName, componentsOf, conjuncts, propertiesIn, resolve } from './resolve.js';
import type { Schema } from './schema.js';
import { readTraits, type Traits } from './traits.js';

/** The parts of a bundled OpenAPI 3.1 document that the generators read. */
export interface Document {
  info: { version: string };
  security?: Security;
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: Record<string, { type: string; in?: string; name?: string }>;
  } & Record<string, Record<string, unknown> | undefined>;
  /** The kinds of things that operations are about, by name, with descriptions. */
  'x-resources'?: Record<string, string>;
}

type Security = Record<string, string[]>[];
type PathItem = { parameters?: ParameterObject[]; 'x-path'?: string } & Partial<
  Record<Lowercase<Method>, OperationObject>
>;
interface ParameterObject {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
  deprecated?: boolean;
  style?: string;
  explode?: boolean;
}
export interface OperationObject {
  operationId?: string;
  summary?: string;
  description?: string;
  security?: Security;
  parameters?: ParameterObject[];
  requestBody?: Body & { required?: boolean };
  responses: Record<string, Body>;
  deprecated?: boolean;
  'x-operation'?: unknown;
}
interface Body {
  'x-gap'?: string;
  content?: Record<string, { schema?: Schema; examples?: Record<string, unknown> }>;
  headers?: Record<string, Omit<Header, 'name'>>;
}

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const;
type Method = (typeof methods)[number];
/** Methods of OpenAPI that this project does not support. */
const otherMethods = ['HEAD', 'OPTIONS', 'TRACE'];

/** A JSON body: its schema, and a TypeScript expression for its type, in terms of the exports of types.ts. */
interface JsonBody {
  schema: Schema;
  type: string;
}

/** The content of a request or response: its media types, and the body if it is JSON. */
interface Content {
  mediaTypes: string[];
  body?: JsonBody;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: Schema;
  /** Undefined if the contract has none. */
  example: unknown;
  deprecated: boolean;
}

interface Header {
  name: string;
  required?: boolean;
  schema?: Schema;
}

export interface Operation {
  id: string;
  summary: string;
  description: string;
  method: Method;
  path: string;
  /** Path parameters come first, in the order of the path. */
  parameters: Parameter[];
  /** The headers that may carry the API key. */
  keyHeaders: [string, ...string[]];
  traits: Traits;
  deprecated: boolean;
  /** Other paths to it: operations that say so by `x-operation.is`. Their parameters are called as its own. */
  others: { path: string; deprecated: boolean }[];
  request?: Content & { required: boolean };
  /**
   * In the document's order, by status (`200`), range (`4XX`) or `default`. Without media types there is no content.
   */
  responses: (Content & { status: string; success: boolean; gap?: string; headers: Header[] })[];
}

/**
 * Reads all operations of a bundled document, in order; what is only another path to one belongs to that. Throws one error
 * that lists all mistakes.
 */
export function readOperations(document: Document): Operation[] {
  const mistakes: string[] = [];
  const seconds: [of: unknown, operation: Omit<Operation, 'traits'>, object: OperationObject][] = [];
  const firsts = new Map<unknown, OperationObject>();
  const operations = Object.entries(document.paths).flatMap(([path, item]) => {
    for (const method of otherMethods)
      if (method.toLowerCase() in item)
        mistakes.push(`${method} ${path}: an operation is one of ${methods.join(', ')}.`);
    return methods.flatMap((method): Operation[] => {
      const operation = item[method.toLowerCase() as Lowercase<Method>];
      if (!operation) return [];
      const of = secondTo(operation['x-operation']);
      try {
        const read = readOperation(document, path, item, method, operation);
        if (of === undefined) firsts.set(read.id, operation);
        else seconds.push([of, read, operation]);
        return of === undefined ? [{ ...read, traits: readTraits(document, read, operation['x-operation']) }] : [];
      } catch (error) {
        mistakes.push((error as Error).message);
        return [];
      }
    });
  });
  for (const [of, second, object] of seconds) {
    const first = operations.find(({ id }) => id === of);
    const others = unlike(object, firsts.get(of), second, first);
    if (others.length > 0)
      mistakes.push(`${second.id}: x-operation.is is ${of}, and of that it has another ${others.join(', ')}.`);
    else first?.others.push({ path: withNamesOf(first, second.path), deprecated: second.deprecated });
  }
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  return operations.map(presentPathFirst);
}

/** The operation to which this one is only another path. */
const secondTo = (traits: unknown): unknown => (traits as { is?: unknown } | undefined)?.is;

const isShared = ['security', 'requestBody', 'responses'] as const;

/** What a second path to an operation has otherwise. */
function unlike(
  object: OperationObject,
  named: OperationObject | undefined,
  second: Omit<Operation, 'traits'>,
  first: Operation | undefined,
): string[] {
  if (!first || !named) return ['name: no operation without x-operation.is is called so'];
  const inQuery = ({ parameters }: Omit<Operation, 'traits'>) => parameters.filter((one) => one.in === 'query');
  const inPath = ({ parameters }: Omit<Operation, 'traits'>) =>
    parameters.flatMap(({ in: place, schema }) => (place === 'path' ? [schema] : []));
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  return [
    ...isShared.filter((part) => differs(object[part], named[part])),
    ...(differs(inQuery(second), inQuery(first)) ? ['query'] : []),
    ...(differs(inPath(second), inPath(first)) ? ['schema of the id in its path'] : []),
    ...(second.method === first.method ? [] : ['method']),
    ...(Object.keys(object['x-operation'] as object).length === 1 ? [] : ['trait']),
  ];
}

/** A path with the parameters called as those of an operation. */
const withNamesOf = ({ path }: Operation, other: string): string => {
  const names = path.match(/\{\w+\}/g) ?? [];
  return other.replaceAll(/\{\w+\}/g, () => names.shift() ?? '');
};

/** Code sends to the path of an operation, and so that should be none that is deprecated. */
function presentPathFirst(operation: Operation): Operation {
  const paths = [operation, ...operation.others].map(({ path, deprecated }) => ({ path, deprecated }));
  const present = paths.find(({ deprecated }) => !deprecated) ?? operation;
  const { path, deprecated } = present;
  return { ...operation, path, deprecated, others: paths.filter((one) => one.path !== path) };
}

/** Whether its answer waits for an execution, and names that as a start does. */
const isWaiting = (traits: unknown): boolean => {
  const { waits, key } = (traits ?? {}) as { waits?: unknown; key?: unknown };
  return waits !== undefined && key === 'executionId';
};

/** Fields that an error body may have beside those that each has. */
const errorKinds = [
  'error detail',
  'error errors',
  'error instance',
  'error status',
  'error title',
  'error type',
] as const;

/** What `on` of a rule may name instead of operations, with the operations that it stands for. */
export type Kinds = Readonly<Record<(typeof kinds)[number], readonly string[]>>;
export const kinds = [
  'body',
  'refusable body',
  'values',
  'deprecated',
  'simple error',
  'standard error',
  'wait',
  ...errorKinds,
] as const;

/** The operations of each kind. Also reads documents that are older than what is refused now. */
export function kindsOf(document: Document): Kinds {
  const found = Object.fromEntries(kinds.map((kind) => [kind, [] as string[]])) as Record<keyof Kinds, string[]>;
  for (const item of Object.values(document.paths))
    for (const method of methods) {
      const one = item[method.toLowerCase() as Lowercase<Method>];
      const { operationId: id, requestBody, responses = {}, 'x-operation': traits } = one ?? {};
      const first = `${secondTo(traits) ?? id}`;
      const add = (kind: keyof Kinds, is: unknown) =>
        void (is && !found[kind].includes(first) && found[kind].push(first));
      const { content = {} } = resolve<Body | undefined>(document, requestBody) ?? {};
      const schema = Object.entries(content).find(([type]) => isJsonType(type))?.[1].schema;
      const query = [...(item.parameters ?? []), ...(one?.parameters ?? [])]
        .map((parameter) => resolve<ParameterObject>(document, parameter))
        .filter((parameter) => parameter.in === 'query');
      const isDeprecated = (part: unknown) => (part as { deprecated?: unknown } | undefined)?.deprecated === true;
      const fields = schema === undefined ? [] : [...propertiesIn(document, schema).values()];
      if (id === undefined) continue;
      add('body', schema);
      add('wait', isWaiting(traits));
      add(
        'refusable body',
        schema !== undefined && ['400', '422', '4XX', 'default'].some((status) => status in responses),
      );
      add('values', schema ?? query[0]);
      add('deprecated', [one, ...query].some(isDeprecated) || fields.some((all) => all.every(isDeprecated)));
      const errors = Object.entries(responses).flatMap(([status, response]) => {
        const { content = {} } = resolve<Body>(document, response);
        const schemas = Object.values(content).map(({ schema = true }) => schema);
        return status.startsWith('2') ? [] : schemas;
      });
      const bodies = new Set(errors.flatMap((body) => componentsOf(document, body)));
      const [simple, standard] = [bodies.has('SimpleError'), bodies.has('StandardError')];
      add('simple error', simple && !standard);
      add('standard error', standard && !simple);
      const named = new Set(
        errors.flatMap((body) => [...propertiesIn(document, body).keys()].map((name) => `error ${name}`)),
      );
      for (const kind of errorKinds) add(kind, simple !== standard && named.has(kind));
    }
  return found;
}

function readOperation(
  document: Document,
  path: string,
  item: PathItem,
  method: Method,
  operation: OperationObject,
): Omit<Operation, 'traits'> {
  const id = operation.operationId;
  if (!id) throw new Error(`${method} ${path} has no operationId.`);
  const type = `operations['${id}']`;
  const requestBody = operation.requestBody && resolve<Body & { required?: boolean }>(document, operation.requestBody);
  const read = {
    id,
    summary: operation.summary ?? '',
    description: operation.description ?? operation.summary ?? '',
    method,
    path,
    deprecated: operation.deprecated ?? false,
    others: [],
    parameters: parametersOf(document, id, path, [...(item.parameters ?? []), ...(operation.parameters ?? [])]),
    keyHeaders: keyHeadersOf(document, id, operation.security ?? document.security ?? []),
    ...(requestBody && {
      request: {
        ...contentOf(requestBody, `NonNullable<${type}['requestBody']>`),
        required: requestBody.required ?? false,
      },
    }),
    responses: Object.entries(operation.responses).map(([status, response]) => {
      const key = /^\d+$/.test(status) ? status : `'${status}'`;
      const { 'x-gap': gap, headers: described = {}, ...body } = resolve<Body>(document, response);
      if (/^[13]/.test(status))
        throw new Error(`${id}: ${status} is not supported. Answer 2XX, and put an address in a field.`);
      const headers = Object.entries(described).map(([name, one]) => ({ name, ...resolve<typeof one>(document, one) }));
      const content = contentOf(body, `${type}['responses'][${key}]`);
      return { status, success: status.startsWith('2'), ...(gap && { gap }), headers, ...content };
    }),
  };
  refuseUnsupported(read);
  if (!read.responses.some(({ success }) => success)) throw new Error(`${id} has no success: no answer with 2XX.`);
  return read;
}

/** Refuses what OpenAPI has and the interface has not: nothing here reads it. */
function refuseUnsupported({ id, parameters, request, responses }: Omit<Operation, 'traits'>): void {
  const types = [request, ...responses].flatMap((one) => one?.mediaTypes ?? []);
  const unsupported = {
    'several ids in a path': parameters.flatMap((one) => (one.in === 'path' ? [one.name] : [])).slice(1),
    'media types other than JSON': types.filter((type) => !isJsonType(type)),
  };
  for (const [what, names] of Object.entries(unsupported))
    if (names.length > 0) throw new Error(`${id}: ${what} are not supported: ${[...new Set(names)].join(', ')}.`);
}

/** Parameters of an operation override those of its path with the same name and place. */
function parametersOf(document: Document, id: string, path: string, given: ParameterObject[]): Parameter[] {
  const byPlace = new Map<string, Parameter>();
  for (const one of given) {
    const {
      name,
      in: place,
      required = false,
      schema,
      example,
      deprecated = false,
      style,
      explode,
    } = resolve<ParameterObject>(document, one);
    if (place !== 'path' && place !== 'query')
      throw new Error(`${id}: ${place} parameters are not supported: ${name}. A parameter is in path or query.`);
    if (schema === undefined) throw new Error(`${id}: the parameter ${name} has no schema.`);
    const usual = place === 'query' ? 'form' : 'simple';
    const isObject = conjuncts(document, schema).some(({ type }) => type === 'object');
    if ((style ?? usual) !== usual || (explode ?? place === 'query') !== (place === 'query') || isObject)
      throw new Error(
        `${id}: the parameter ${name} is written in a way that nothing here reads: leave out style and explode, and make it no object.`,
      );
    byPlace.set(`${place} ${name}`, { name, in: place, required, schema, example, deprecated });
  }
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => {
    const parameter = byPlace.get(`path ${name}`);
    if (!parameter) throw new Error(`${id}: the path has {${name}}, and no parameter describes it.`);
    return parameter;
  });
  const stray = [...byPlace.values()].find((one) => one.in === 'path' && !inPath.includes(one));
  if (stray) throw new Error(`${id}: the path has no {${stray.name}}, which a parameter describes.`);
  return [...inPath, ...[...byPlace.values()].filter((one) => one.in !== 'path')];
}

/** The key headers of an operation: each security requirement is an alternative. */
function keyHeadersOf(document: Document, id: string, security: Security): [string, ...string[]] {
  const headers = security.map((requirement) => {
    const [name = '', ...more] = Object.keys(requirement);
    const scheme = more.length === 0 ? document.components.securitySchemes[name] : undefined;
    return scheme?.type === 'apiKey' && scheme.in === 'header' ? scheme.name : undefined;
  });
  const [first, ...others] = headers;
  if (!first || others.includes(undefined))
    throw new Error(
      `${id} must be secured by one API key in a header, or by one of several, not by ${JSON.stringify(security)}.`,
    );
  return [first, ...(others as string[])];
}

function contentOf({ content = {} }: Body, type: string): Content {
  const mediaTypes = Object.keys(content);
  const json = mediaTypes.find(isJsonType);
  const schema = json === undefined ? undefined : content[json]?.schema;
  if (schema === undefined) return { mediaTypes };
  const open = Object.keys(schema).every((keyword) => keyword === 'description' || keyword.startsWith('x-'));
  const named = componentName(schema) ?? `${type}['content']['${json}']`;
  return { mediaTypes, body: { schema, type: open ? 'unknown' : named } };
}
