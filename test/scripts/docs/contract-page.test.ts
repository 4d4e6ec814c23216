import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { operationIds, operations } from '../../../generated/operations.js';
import { callers, gaps, rules } from '../../../generated/rules.js';
import { contractPage } from '../../../scripts/docs/contract-page.js';
import { readDocument } from '../../../scripts/docs/document.js';

const document = await readDocument(fileURLToPath(new URL('../../../generated/openapi.json', import.meta.url)));
const page = contractPage(document);

/** The markup of the section of an operation. */
const sectionOf = (id: string, within = page): string => {
  const start = within.indexOf(`<section id="operation-${id}"`);
  return within.slice(start, within.indexOf('</section>', start));
};

it('has every operation with its own rules, each with an id that links point to', () => {
  for (const id of operationIds) {
    const section = sectionOf(id);
    expect(section).toContain(`<b>${operations[id].method}</b> <code>${operations[id].path.split('{')[0]}`);
    const own = [...rules, ...callers].filter(({ on }) => on.length < 7 && (on as readonly string[]).includes(id));
    expect(own.filter((rule) => !section.includes(`href="#rule-${rule.id}"`)).map(({ id }) => id)).toEqual([]);
  }
  for (const { id } of [...rules, ...callers]) expect(page.split(`id="rule-${id}"`)).toHaveLength(2);
});

it('has each gap once, at its operation', () => {
  expect(sectionOf('execute')).toContain('id="gap-over-capacity-status"');
  expect(sectionOf('listExecutionFiles')).toContain('id="gap-file-created-by"');
  for (const { id } of gaps) expect(page.split(`id="gap-${id}"`)).toHaveLength(2);
});

it('links every x-gap of the document', () => {
  const named = [...JSON.stringify(document).matchAll(/"x-gap":("[\w-]+"|\[[^\]]*\])/g)].flatMap(
    ([, value = '""']) => [JSON.parse(value)].flat() as string[],
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((id) => !page.includes(`<a class="gap" href="#gap-${id}">${id}</a>`))).toEqual([]);
});

it('has links to its own anchors only, and loads and runs nothing', () => {
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...page.matchAll(/ href="(?!data:,)#?([^"]+)"/g)].map(([, id]) => id);
  expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  expect(page.match(/<(?:script|img|iframe|svg|object)\b/g)).toBeNull();
});

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

it('an operation has the parameters of its path and its own', () => {
  const path = '/agents/v2/executions/{executionId}';
  const { get, ...rest } = document.paths[path] as { get: { parameters?: object[] } };
  const own = [
    { name: 'fields', in: 'query', required: true, schema: { type: 'string' }, description: 'What to show.' },
    { name: 'X-Trace', in: 'header', schema: { type: 'string' }, description: 'For logs.' },
  ];
  const paths = { ...document.paths, [path]: { ...rest, get: { ...get, parameters: own } } };
  const text = sectionOf('getExecution', contractPage({ ...document, paths })).replaceAll(/<[^>]*>/g, '');
  for (const line of [
    'Path: executionId, string (uuid).',
    'Query: fields, string, required. What to show.',
    'Header: X-Trace, string. For logs.',
  ])
    expect(text).toContain(line);
});
