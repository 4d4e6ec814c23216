import type { Schema } from './schema.js';

/** The parts of a bundled OpenAPI 3.1 document that the generators read. */
export interface Document {
  info: { version: string };
  security?: Security;
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: Record<string, { type: string; in?: string; name?: string }>;
  } & Record<string, Record<string, unknown> | undefined>;
}

type Security = Record<string, string[]>[];
type PathItem = { parameters?: Parameter[] } & Partial<Record<Lowercase<Method>, OperationObject>>;
interface Parameter {
  name: string;
  in: string;
}
interface OperationObject {
  operationId?: string;
  summary?: string;
  security?: Security;
  parameters?: Parameter[];
  requestBody?: Body & { required?: boolean };
  responses: Record<string, Body>;
}
interface Body {
  content?: Record<string, { schema?: Schema; examples?: Record<string, unknown> }>;
}

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const;
type Method = (typeof methods)[number];

/** A JSON body: its schema, and the TypeScript expression that names its type among the exports of types.ts. */
interface JsonBody {
  schema: Schema;
  type: string;
}

export interface Operation {
  id: string;
  summary: string;
  method: Method;
  path: string;
  pathParameter: string;
  keyHeader: string;
  request?: JsonBody & { required: boolean };
  /** In the document's order; the key is a status (`200`), a range (`4XX`) or `default`. */
  responses: { status: string; success: boolean; body?: JsonBody }[];
}

/** Every operation of a bundled document, in its order. Throws an error that names the operation which lacks something. */
export function readOperations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method.toLowerCase() as Lowercase<Method>];
      return operation ? [readOperation(document, path, item, method, operation)] : [];
    }),
  );
}

function readOperation(
  document: Document,
  path: string,
  item: PathItem,
  method: Method,
  operation: OperationObject,
): Operation {
  const id = operation.operationId;
  if (!id) throw new Error(`${method} ${path} has no operationId.`);
  const pathParameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
    .map((parameter) => resolve<Parameter>(document, parameter))
    .filter((parameter) => parameter.in === 'path');
  const [pathParameter, ...more] = pathParameters;
  if (!pathParameter || more.length > 0)
    throw new Error(`${id} must have one path parameter, not ${pathParameters.length}.`);

  const type = `operations['${id}']`;
  const requestBody = operation.requestBody && resolve<Body & { required?: boolean }>(document, operation.requestBody);
  const request = requestBody && jsonBody(requestBody, `NonNullable<${type}['requestBody']>`);
  return {
    id,
    summary: operation.summary ?? '',
    method,
    path,
    pathParameter: pathParameter.name,
    keyHeader: keyHeader(document, id, operation.security ?? document.security ?? []),
    ...(request && { request: { ...request, required: requestBody?.required ?? false } }),
    responses: Object.entries(operation.responses).map(([status, response]) => {
      const key = /^\d+$/.test(status) ? status : `'${status}'`;
      const body = jsonBody(resolve<Body>(document, response), `${type}['responses'][${key}]`);
      return { status, success: status.startsWith('2'), ...(body && { body }) };
    }),
  };
}

function keyHeader(document: Document, id: string, security: Security): string {
  const schemes = security.flatMap((requirement) => Object.keys(requirement));
  const scheme = schemes.length === 1 ? document.components.securitySchemes[schemes[0] ?? ''] : undefined;
  if (scheme?.type !== 'apiKey' || scheme.in !== 'header' || !scheme.name)
    throw new Error(`${id} must be secured by one API key in a header, not by [${schemes}].`);
  return scheme.name;
}

function jsonBody(body: Body, type: string): JsonBody | undefined {
  const schema = body.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const open = Object.keys(schema).every((keyword) => keyword === 'description' || keyword.startsWith('x-'));
  return { schema, type: open ? 'unknown' : (componentName(schema) ?? `${type}['content']['application/json']`) };
}

/** The name of the component schema that a schema is nothing but a reference to. */
export function componentName(schema: Schema): string | undefined {
  const ref = typeof schema === 'object' ? schema.$ref : undefined;
  return typeof ref === 'string' && ref.startsWith('#/components/schemas/') ? ref.split('/')[3] : undefined;
}

/** Follows local references (`#/components/…`) until there is none. */
export function resolve<T>(document: Document, value: unknown): T {
  const ref = (value as { $ref?: unknown } | null)?.$ref;
  if (typeof ref !== 'string') return value as T;
  const target = ref
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], document);
  if (target === undefined) throw new Error(`${ref} points nowhere in the bundled document.`);
  return resolve<T>(document, target);
}
