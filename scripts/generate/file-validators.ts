import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import report from '../../conformance/engine/report/report.schema.json' with { type: 'json' };
import { inOneFile } from './in-one-file.js';

/**
 * Compiles the validators of files that users write, and of reports, because compiling them at run time would take
 * longer than using them. Returns scripts, and declarations and the types of reports, by file name.
 */
export async function fileValidators([target, baseline]: readonly object[]): Promise<{
  js: [string, string][];
  types: Record<string, string>;
}> {
  // Users get all mistakes at once, with the values at fault.
  const [settings, reports] = await Promise.all([
    compiled({ target: target ?? {}, baseline: baseline ?? {} }, { allErrors: true, verbose: true }),
    compiled({ report }, { strict: false }),
  ]);
  return {
    js: [
      ['settings.js', settings],
      ['reports.js', reports],
    ],
    types: {
      'report-types.ts': await reportTypes(),
      'settings.d.ts': `import type { SchemaError } from './validators.js';

/** Checks whether a value is such a file. After a failure, \`errors\` has all violations. */
export interface FileValidator {
  (value: unknown): boolean;
  errors?: readonly MistakenPart[] | null;
}

export interface MistakenPart extends SchemaError {
  readonly parentSchema: object;
  readonly data: unknown;
}

export declare const target: FileValidator;
export declare const baseline: FileValidator;
`,
      'reports.d.ts': `import type { Validator } from './validators.js';

export declare const report: Validator<unknown>;
`,
    },
  };
}

async function compiled(schemas: Readonly<Record<string, object>>, options: Options): Promise<string> {
  const ajv = new Ajv2020({ ...options, code: { source: true, esm: true } });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  const contents = standaloneCode.default(ajv, Object.fromEntries(Object.keys(schemas).map((name) => [name, name])));
  return inOneFile(contents);
}

/** The types of a report and its parts. */
async function reportTypes(): Promise<string> {
  const { $defs, ...whole } = JSON.parse(JSON.stringify(report).replaceAll('#/$defs/', '#/components/schemas/'));
  const info = { title: report.title, version: '3' };
  const document: OpenAPI3 = {
    openapi: '3.1.0',
    info,
    paths: {},
    components: { schemas: { ...$defs, report: whole } },
  };
  return astToString(await openapiTS(document, { immutable: true, silent: true }));
}
