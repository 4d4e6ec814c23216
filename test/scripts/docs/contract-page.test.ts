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
