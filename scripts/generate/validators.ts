import { _ } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { componentName, type Document, type Operation } from './document.js';
import { formats } from './formats.js';
import { inOneFile } from './in-one-file.js';
import { mapSchema, type Schema } from './schema.js';
import { source } from './text.js';

/** Keywords that say nothing about validity: a changed description must not change the validators. */
const annotations = [
  'title',
  'description',
  'default',
  'deprecated',
  'examples',
  'example',
  'discriminator',
  'externalDocs',
];

/** Compiles the schemas to one module that imports nothing, and its declarations. */
export async function validatorModules(
  document: Document,
  operations: Operation[],
): Promise<{ js: string; dts: string }> {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    // A field may well be a text or a number.
    allowUnionTypes: true,
    inlineRefs: false,
    formats,
    code: { source: true, esm: true, formats: _`formats` },
  });
  const functions: Record<string, string> = {};
  const add = (name: string, schema: Schema) => {
    ajv.addSchema(schema, name);
    functions[`validate${name}`] = name;
    return `validate${name}`;
  };
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => [name, add(name, bare(schema))] as const,
  );
  const inline = new Map<string, string>();
  /** The function for a body: its component's, or one that equal inline schemas share under the first one's name. */
  const validatorOf = (name: string, schema: Schema): string => {
    const component = componentName(schema);
    if (component) return `validate${component}`;
    const key = JSON.stringify(bare(schema));
    const known = inline.get(key) ?? add(name, bare(schema));
    inline.set(key, known);
    return known;
  };
  const requests = members(
    operations.flatMap(({ id, request }) =>
      request?.body ? [[id, validatorOf(`${id}Request`, request.body.schema)]] : [],
    ),
  );
  const responses = members(
    operations.map(({ id, responses }) => {
      const bodies = responses.map(
        ({ status, body }) => [status, isJudged(body) ? validatorOf(`${id}${status}`, body.schema) : 'null'] as const,
      );
      return [id, members(bodies)];
    }),
  );
  const parameters = members(
    operations.map(({ id, parameters }) => [
      id,
      // By their places: a name such as Idempotency-Key is none of a function.
      members(parameters.map((one, at) => [one.name, validatorOf(`${id}Parameter${at}`, one.schema)])),
    ]),
  );

  const contents = `import { formats } from './formats.ts';
${standaloneCode.default(ajv, functions).replaceAll(/^export const validate/gm, 'const validate')}
export const requests = ${requests};
export const responses = ${responses};
export const parameters = ${parameters};
export const schemas = ${members(schemas)};
export function responseValidator(operationId, status) {
  const byStatus = responses[operationId];
  return byStatus[[status, \`\${Math.floor(status / 100)}XX\`].find((key) => key in byStatus) ?? 'default'];
}
`;
  return { js: await inOneFile(contents), dts: declarations(document, operations) };
}

/** Whether anything is said of a body: the schema of one of which nothing is shown takes whatever there is, or nothing. */
const isJudged = <T extends { type: string }>(body: T | undefined): body is T =>
  body !== undefined && body.type !== 'unknown';

/** Without annotations and extensions, and with references that ajv resolves to the schemas added by name. */
const bare = (schema: Schema): Schema =>
  mapSchema(schema, (part) =>
    Object.fromEntries(
      Object.entries(part)
        .filter(([keyword]) => !annotations.includes(keyword) && !keyword.startsWith('x-'))
        .map(([keyword, value]) =>
          keyword === '$ref'
            ? [keyword, String(value).replace(/^#\/components\/schemas\/([^/]+)/, '$1#')]
            : [keyword, value],
        ),
    ),
  );

const members = (entries: readonly (readonly [string, string])[]) =>
  `{ ${entries.map(([name, expression]) => `${source(name)}: ${expression}`).join(', ')} }`;

function declarations(document: Document, operations: Operation[]): string {
  const validator = (name: string, type: string) => `readonly ${source(name)}: Validator<${type}>;`;
  const names = Object.keys(document.components.schemas);
  const requests = operations.flatMap(({ id, request }) =>
    request?.body ? [`  ${validator(id, request.body.type)}`] : [],
  );
  const responses = operations.map(({ id, responses }) => {
    const lines = responses.map(({ status, body }) =>
      isJudged(body) ? `    ${validator(status, body.type)}\n` : `    readonly ${source(status)}: null;\n`,
    );
    return `  readonly ${id}: {\n${lines.join('')}  };`;
  });
  return `import type { OperationId } from './operations.js';
import type { ${[...names, 'operations'].join(', ')} } from './types.js';

/** One violation of a schema, as ajv reports it. */
export interface SchemaError {
  /** JSON Pointer to the value at fault. */
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Reports whether a value satisfies a schema; \`errors\` then holds every violation of the latest call. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: SchemaError[] | null;
}

/** By operation: the request body. */
export declare const requests: {
${requests.join('\n')}
};

/** By operation, then by status as the contract lists it: the response body; null where nothing is said of it. */
export declare const responses: {
${responses.join('\n')}
};

/** By operation, then by name: the parameters of its path, its query and its headers. */
export declare const parameters: Readonly<Record<OperationId, Readonly<Record<string, Validator<unknown>>>>>;

/** By name: the schemas of the contract. */
export declare const schemas: {
${names.map((name) => `  ${validator(name, name)}`).join('\n')}
};

/**
 * The validator of a response body: for the exact status, else its range, else \`default\`. Null where the contract says
 * nothing of a body; undefined where it does not list the status.
 */
export declare function responseValidator(
  operationId: OperationId,
  status: number,
): Validator<unknown> | null | undefined;
`;
}
