/** Shows schemas on the page of the contract. */

import { Marked } from 'marked';
import { Html, h, join } from '../../conformance/engine/report/html.js';
import { gapsAt, nameOf, type Schema } from './document.js';

/** Renders the Markdown of the contract. */
export const inline = (text: string): Html => new Html(new Marked().parse(text, { async: false }).trim());

const gapLink = (id: string): Html => h`<a class="gap" href="#gap-${id}">${id}</a>`;

export const gapLinks = (ids: readonly string[]): Html =>
  h`${ids.length > 0 && h` <span class="gaps-here">${join(ids.map(gapLink), ' ')}</span>`}`;

const code = (value: unknown): Html => h`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;

/** Describes the type of a value in a few words, with links to named schemas. */
export function typeOf(schema: Schema): Html {
  const name = nameOf(schema);
  if (name !== undefined) return h`<a href="#schema-${name}">${name}</a>`;
  if (schema.anyOf) return join(schema.anyOf.map(typeOf), ' or ');
  if (schema.allOf?.length === 1 && schema.allOf[0]) return typeOf(schema.allOf[0]);
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return join(schema.enum.map(code), ', ');
  if (schema.items) return h`array of ${typeOf(schema.items)}`;
  const kinds = [schema.type ?? 'any JSON value'].flat().join(' or ');
  return h`${kinds}${schema.format !== undefined && ` (${schema.format})`}`;
}

const limitNames = {
  default: 'default',
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'length at least',
  maxLength: 'length at most',
} as const;

const limits = (schema: Schema): Html =>
  join(
    Object.entries(limitNames).flatMap(([key, says]) => {
      const value = schema[key as keyof typeof limitNames];
      return value === undefined ? [] : [h`${says} ${code(value)}`];
    }),
    ', ',
  );

interface Row {
  readonly name: string;
  readonly schema: Schema | boolean;
  readonly isRequired: boolean;
}

/** The fields of an object, including those of unnamed parts and of unnamed objects in it. */
function rowsOf({ properties = {}, required = [], allOf = [] }: Schema, prefix = ''): Row[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => {
    const row = { name: `${prefix}${name}`, schema, isRequired: required.includes(name) };
    return typeof schema === 'object' && schema.properties ? [row, ...rowsOf(schema, `${row.name}.`)] : [row];
  });
  return [...own, ...allOf.filter((part) => nameOf(part) === undefined).flatMap((part) => rowsOf(part, prefix))];
}

function rowOf({ name, schema, isRequired }: Row): Html {
  if (typeof schema === 'boolean') return h`<tr><td class="name">${name}</td><td>any JSON value</td><td></td></tr>`;
  const bounds = limits(schema);
  return h`<tr><td><span class="name">${name}</span>${isRequired && h` <span class="soft">required</span>`}${schema.deprecated && h` <span class="soft">deprecated</span>`}</td>
<td>${typeOf(schema)}${bounds.text !== '' && h`<br><span class="soft">${bounds}</span>`}</td><td>${schema.description !== undefined && inline(schema.description)}${gapLinks(gapsAt(schema))}</td></tr>`;
}

/** The contents of a schema: its description, fields and included schemas. `name` labels its table. */
export function schemaBody(schema: Schema, name: string): Html {
  const rows = rowsOf(schema);
  const wholes = (schema.allOf ?? []).filter((part) => nameOf(part) !== undefined);
  const more = schema.additionalProperties;
  return h`${schema.description !== undefined && inline(schema.description)}${gapLinks(gapsAt(schema))}
${wholes.length > 0 && h`<p>Everything of ${join(wholes.map(typeOf), ' and of ')}${rows.length > 0 && ', and these fields'}.</p>`}
${schema.anyOf && h`<p>One of ${join(schema.anyOf.map(typeOf), ', ')}.</p>`}
${schema.enum && h`<p>One of ${join(schema.enum.map(code), ', ')}.</p>`}
${rows.length > 0 && h`<div class="scroll" role="region" aria-label="Fields of ${name}" tabindex="0"><table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Says</th></tr></thead><tbody>${rows.map(rowOf)}</tbody></table></div>`}
${typeof more === 'object' && h`<p>Any other name has ${typeOf(more)}.</p>`}`;
}
