/** Reads examples from the bundled contract. */

import type { OperationId } from '../generated/operations.js';

interface Content {
  readonly 'application/json'?: { readonly examples?: Readonly<Record<string, { readonly value?: unknown }>> };
}

/** The parts of the bundled contract that the mock reads. References occur outside of example values only. */
export interface MockDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly [section: string]: Readonly<Record<string, unknown>> };
}

/** A named example of a response. */
export interface NamedExample {
  readonly name: string;
  /** The status to ask Prism for. For a range, it is taken from the example. */
  readonly status: number;
  readonly value: unknown;
}

/** The named examples of an operation's responses, in the order of the contract. */
export function responseExamples(document: MockDocument, id: OperationId): NamedExample[] {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const operation = operations.find((entry) => (entry as { operationId?: string }).operationId === id);
  const { responses } = operation as { responses: Record<string, unknown> };
  return Object.entries(responses).flatMap(([key, response]) => {
    const { content } = follow<{ content?: Content }>(document, response);
    return Object.entries(content?.['application/json']?.examples ?? {}).map(([name, example]) => {
      const { value } = follow<{ value?: unknown }>(document, example);
      return { name, status: statusOf(key, value), value };
    });
  });
}

/** Fills the parameters of a path with their examples, for a request that works. */
export function withExamples(document: MockDocument, path: string): string {
  const parameters = Object.values(document.components.parameters ?? {}) as { name: string; example?: string }[];
  const exampleOf = (name: string) => parameters.find((one) => one.name === name)?.example;
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => exampleOf(name) ?? '00000000-0000-4000-8000-000000000000');
}

function statusOf(key: string, value: unknown): number {
  if (/^\d{3}$/.test(key)) return Number(key);
  const code = (value as { code?: unknown } | null)?.code;
  const range = key === 'default' ? /^[45]\d\d$/ : new RegExp(`^${key[0]}\\d\\d$`);
  if (range.test(String(code))) return Number(code);
  return key === 'default' ? 500 : Number(`${key[0]}00`);
}

function follow<T>(document: MockDocument, value: unknown): T {
  const ref = (value as { $ref?: string }).$ref;
  if (ref === undefined) return value as T;
  const [section = '', name = ''] = ref.split('/').slice(2);
  return follow<T>(document, document.components[section]?.[name]);
}
