/** Reads the parts of the contract that its page shows. */

import { readFile } from 'node:fs/promises';
import { resolve } from '../generate/resolve.js';

export interface Reference {
  readonly $ref?: string;
}
/** Ids of gaps of the register. */
interface Gapped {
  readonly 'x-gap'?: string | readonly string[];
}

export interface Schema extends Reference, Gapped {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly deprecated?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

interface Content {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Reference>>;
}

export interface Answer extends Reference, Gapped {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Parameter extends Reference, Gapped {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Operation extends Gapped {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly 'x-operation'?: { readonly is?: string };
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: Gapped & { readonly required?: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Example {
  readonly summary?: string;
  readonly value?: unknown;
}

export interface ContractDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly name: string } & Gapped>>;
  };
}

export const readDocument = async (file: string): Promise<ContractDocument> =>
  JSON.parse(await readFile(file, 'utf8')) as ContractDocument;

/** The name of the schema that a reference refers to. */
export const nameOf = ({ $ref }: Reference): string | undefined => /\/schemas\/([^/]+)$/.exec($ref ?? '')?.[1];

export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
}

/** The other paths to the operation with this id. */
export const otherPathsTo = (document: ContractDocument, id: string): Placed[] =>
  placedIn(document).filter(({ operation }) => operation['x-operation']?.is === id);

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** The operations in the order of the document. */
export const operationsOf = (document: ContractDocument): Placed[] =>
  placedIn(document).filter(({ operation }) => operation['x-operation']?.is === undefined);

function placedIn(document: ContractDocument): Placed[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const { parameters = [], ...rest } = item as { parameters?: Parameter[] } & Record<string, unknown>;
    return Object.entries(rest).flatMap(([method, operation]) =>
      methods.includes(method) ? [placed(method, path, operation as Operation, parameters)] : [],
    );
  });
}

const placed = (method: string, path: string, operation: Operation, ofPath: readonly Parameter[]): Placed => ({
  method: method.toUpperCase(),
  path,
  operation,
  parameters: [...ofPath, ...(operation.parameters ?? [])],
});

const listed = (gap: unknown): string[] => (Array.isArray(gap) ? gap : gap === undefined ? [] : [gap]).map(String);

/** The gaps that a place of the document itself names. */
export const gapsAt = (place: Gapped): string[] => listed(place['x-gap']);

/** The gaps that a place of the document contains or refers to. */
export function gapsWithin(document: ContractDocument, place: unknown): Set<string> {
  const found = new Set<string>();
  const references = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref, 'x-gap': gap } = value as Reference & Gapped;
    for (const id of listed(gap)) found.add(id);
    if (typeof $ref === 'string' && !references.has($ref) && !$ref.includes('/examples/')) {
      references.add($ref);
      walk(resolve(document, { $ref }));
    }
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(place);
  return found;
}
