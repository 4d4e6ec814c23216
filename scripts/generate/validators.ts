/** Generates generated/validators.js and its declarations. */

import { _ } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Document, Operation } from './document.js';
import { formats } from './formats.js';
import { inOneFile } from './in-one-file.js';
import { componentName } from './resolve.js';
import { mapSchema, type Schema } from './schema.js';
import { source } from './text.js';

/** Keywords without influence on validity: changed descriptions must not change the validators. */
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

/** Compiles the schemas to a module without imports, and its declarations. */
export async function validatorModules(
  document: Document,
  operations: Operation[],
): Promise<{ js: string; dts: string }> {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    // Fields may be a string or a number.
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
  /** The validator of a body: that of its component, or one that equal inline schemas share. */
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
      // Numbered, because names may not be valid in identifiers.
      members(parameters.map((one, at) => [one.name, validatorOf(`${id}Parameter${at}`, one.schema)])),
    ]),
  );
  const headers = members(
    operations.map(({ id, responses }) => {
      const judged = responses.map(({ status, headers: all }) => {
        const valid = all.flatMap(({ name, schema }, at) =>
          schema === undefined ? [] : [[name, validatorOf(`${id}${status}Header${at}`, schema)] as const],
        );
        return [status, valid] as const;
      });
      return [id, members(judged.flatMap(([status, valid]) => (valid.length > 0 ? [[status, members(valid)]] : [])))];
    }),
  );

  const contents = `import { formats } from './formats.ts';
${standaloneCode.default(ajv, functions).replaceAll(/^export const validate/gm, 'const validate')}
export const requests = ${requests};
export const responses = ${responses};
export const parameters = ${parameters};
export const headers = ${headers};
export const schemas = ${members(schemas)};
export function responseValidator(operationId, status) {
  const byStatus = responses[operationId];
  return byStatus[[status, \`\${Math.floor(status / 100)}XX\`].find((key) => key in byStatus) ?? 'default'];
}
`;
  return { js: await inOneFile(contents), dts: declarations(document, operations) };
}

/** Whether a body has a schema. Where the contract shows none, any body is valid, and none too. */
const isJudged = <T extends { type: string }>(body: T | undefined): body is T =>
  body !== undefined && body.type !== 'unknown';

/** Removes annotations and extensions, and adapts references to the names under which ajv knows the schemas. */
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

/** Checks whether a value satisfies a schema. After a failure, \`errors\` has all violations of the latest call. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: SchemaError[] | null;
}

/** The validators of request bodies, by operation. */
export declare const requests: {
${requests.join('\n')}
};

/** The validators of response bodies, by operation and status as listed. Null: the contract shows no body. */
export declare const responses: {
${responses.join('\n')}
};

/** The validators of path and query parameters, by operation and name. */
export declare const parameters: Readonly<Record<OperationId, Readonly<Record<string, Validator<unknown>>>>>;

/** The validators of the headers of answers, by operation, status as listed, and name. */
export declare const headers: Readonly<
  Record<OperationId, Readonly<Record<string, Readonly<Record<string, Validator<unknown>>>>>>
>;

/** The validators of the contract's schemas, by name. */
export declare const schemas: {
${names.map((name) => `  ${validator(name, name)}`).join('\n')}
};

/**
 * Returns the validator of a response body, by exact status, range or \`default\`. Null if the contract shows no body;
 * undefined if it does not list the status.
 */
export declare function responseValidator(
  operationId: OperationId,
  status: number,
): Validator<unknown> | null | undefined;
`;
}
