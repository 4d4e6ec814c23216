import type { Document } from './document.js';
import { conjuncts, propertiesIn } from './resolve.js';
import type { Schema } from './schema.js';
import { source } from './text.js';

/** The type of a field: the format of a string if it has one, otherwise its JSON type; `any` if there is none. */
function holds(document: Document, schema: Schema): string {
  const about = conjuncts(document, schema);
  const of = (keyword: string) =>
    about.map((part) => [part[keyword]].flat().find((one) => one !== undefined && one !== 'null')).find(Boolean);
  const type = `${of('type') ?? 'any'}`;
  return type === 'string' ? `${of('format') ?? type}` : type;
}

/** Generates the fields of all schemas, so that tools need not list them. */
export function fieldsModule(document: Document): string {
  const entries = Object.keys(document.components.schemas).flatMap((name) => {
    const schema = { $ref: `#/components/schemas/${name}` };
    const required = conjuncts(document, schema).flatMap((part) => (part.required as string[] | undefined) ?? []);
    const fields = [...propertiesIn(document, schema)].map(([field, all]) => {
      const [first = 'any', ...others] = new Set(all.map((of) => holds(document, of)));
      return [field, { holds: others.length === 0 ? first : 'any', required: required.includes(field) }];
    });
    return fields.length > 0 ? [`  ${name}: ${source(Object.fromEntries(fields))},`] : [];
  });
  return `/** A field: what it holds (\`uuid\`, \`date-time\`, or a JSON type), and whether it is required. */
export interface Field {
  readonly holds: string;
  readonly required: boolean;
}

/** The fields of each schema that has any, in the order of the contract. */
export const fields = {
${entries.join('\n')}
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>;

/** The names of the fields of a schema. */
export const namesOf = <Fields extends object>(of: Fields): (keyof Fields & string)[] =>
  Object.keys(of) as (keyof Fields & string)[];
`;
}
