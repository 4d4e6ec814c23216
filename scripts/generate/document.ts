/** Reads the operations of a bundled OpenAPI document. */

import { isJsonType } from '../../common/values.js';
import { componentName, conjuncts, resolve } from './resolve.js';
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
  style?: string;
  explode?: boolean;
}
export interface OperationObject {
  operationId?: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: Security;
  parameters?: ParameterObject[];
  requestBody?: Body & { required?: boolean };
  responses: Record<string, Body>;
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
  deprecated: boolean;
  method: Method;
  path: string;
  /** Path parameters come first, in the order of the path. */
  parameters: Parameter[];
  /** The headers that may carry the API key. */
  keyHeaders: [string, ...string[]];
  traits: Traits;
  request?: Content & { required: boolean };
  /**
   * In the document's order, by status (`200`), range (`4XX`) or `default`. Without media types there is no content.
   */
  responses: (Content & { status: string; success: boolean; gap?: string; headers: Header[] })[];
}

/** Reads all operations of a bundled document, in order. Throws one error that lists all mistakes. */
export function readOperations(document: Document): Operation[] {
  const mistakes: string[] = [];
  const operations = Object.entries(document.paths).flatMap(([path, item]) => {
    for (const method of otherMethods)
      if (method.toLowerCase() in item)
        mistakes.push(`${method} ${path}: an operation is one of ${methods.join(', ')}.`);
    return methods.flatMap((method) => {
      const operation = item[method.toLowerCase() as Lowercase<Method>];
      try {
        return operation ? [readOperation(document, path, item, method, operation)] : [];
      } catch (error) {
        mistakes.push((error as Error).message);
        return [];
      }
    });
  });
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  return operations;
}

/** The operations that take a JSON body, and list an answer for one that is wrong. */
export const takersOf = (document: Document): string[] =>
  Object.values(document.paths).flatMap((item) =>
    methods.flatMap((method) => {
      const { operationId, requestBody, responses = {} } = item[method.toLowerCase() as Lowercase<Method>] ?? {};
      const { content = {} } = resolve<Body | undefined>(document, requestBody) ?? {};
      const refuses = Object.keys(responses).some((status) => ['400', '422', '4XX', 'default'].includes(status));
      return operationId !== undefined && refuses && Object.keys(content).some(isJsonType) ? [operationId] : [];
    }),
  );

function readOperation(
  document: Document,
  path: string,
  item: PathItem,
  method: Method,
  operation: OperationObject,
): Operation {
  const id = operation.operationId;
  if (!id) throw new Error(`${method} ${path} has no operationId.`);
  const type = `operations['${id}']`;
  const requestBody = operation.requestBody && resolve<Body & { required?: boolean }>(document, operation.requestBody);
  const read = {
    id,
    summary: operation.summary ?? '',
    description: operation.description ?? operation.summary ?? '',
    deprecated: operation.deprecated ?? false,
    method,
    path,
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
  return { ...read, traits: readTraits(document, read, operation['x-operation']) };
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
    byPlace.set(`${place} ${name}`, { name, in: place, required, schema, example });
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
