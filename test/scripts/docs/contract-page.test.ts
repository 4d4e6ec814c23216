import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { contractPage } from '../../../scripts/docs/contract-page.js';
import { readDocument } from '../../../scripts/docs/document.js';

const document = await readDocument(fileURLToPath(new URL('../../../generated/openapi.json', import.meta.url)));
const page = contractPage(document);

/** The fields that a schema names, wherever in it; `false` says that there is none. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, unknown> };
  const own = Object.keys(properties).filter((name) => properties[name] !== false);
  return [...own, ...Object.values(schema).flatMap(fieldsOf)];
}

it.each(Object.entries(document.components.schemas))('the table of %s has every field of it', (name, schema) => {
  const [, table = ''] = new RegExp(`id="schema-${name}"(.*?)</section>`, 's').exec(page) ?? [];
  const shown = new Set([...table.matchAll(/class="name">(?:[^<]*\.)?([^<.]+)</g)].map(([, field]) => field));
  expect(fieldsOf(schema).filter((field) => !shown.has(field))).toEqual([]);
});

it('an operation shows the parameters of its path and its own', () => {
  const path = '/agents/v2/executions/{executionId}';
  const { get, ...rest } = document.paths[path] as { get: { parameters?: object[] } };
  const own = [
    { name: 'fields', in: 'query', required: true, schema: { type: 'string' }, description: 'What to show.' },
    { name: 'X-Trace', in: 'header', schema: { type: 'string' }, description: 'For logs.' },
  ];
  const paths = { ...document.paths, [path]: { ...rest, get: { ...get, parameters: own } } };
  const [, section = ''] =
    /id="operation-getExecution"(.*?)<\/section>/s.exec(contractPage({ ...document, paths })) ?? [];
  const text = section.replaceAll(/<[^>]*>/g, '');
  for (const line of [
    'Path: executionId, string (uuid).',
    'Query: fields, string, required. What to show.',
    'Header: X-Trace, string. For logs.',
  ])
    expect(text).toContain(line);
});
