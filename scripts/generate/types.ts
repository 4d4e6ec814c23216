/** Generates generated/types.ts and generated/schemas.ts. */

import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { withSchemas } from './bundle.js';
import type { Document } from './document.js';
import { mapSchema, type Schema } from './schema.js';

export async function typesModule(document: Document): Promise<string> {
  const together = withSchemas(document, (schema) => mapSchema(schema, choiceBesideFields));
  const nodes = await openapiTS(structuredClone(together) as unknown as OpenAPI3, {
    // Otherwise request fields with a default would become required.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return astToString(named(nodes));
}

/** openapi-typescript misreads an `anyOf` beside fields, so it is moved into `allOf`. */
const choiceBesideFields = ({ anyOf, ...schema }: { [keyword: string]: unknown }): Schema =>
  anyOf === undefined
    ? schema
    : schema.properties === undefined
      ? { ...schema, anyOf }
      : { ...schema, allOf: [...((schema.allOf as Schema[] | undefined) ?? []), { anyOf }] };

/** A module that exports the types of schemas only. */
export const schemasModule = ({ components }: Document): string =>
  `export type { ${Object.keys(components.schemas).sort().join(', ')} } from './types.js';\n`;

/** Gives each schema its own declaration, so that editors show `Execution` as a name. */
function named(nodes: readonly ts.Node[]): ts.Node[] {
  const components = nodes.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === 'components');
  const schemas = components?.members.find((member) => nameOf(member) === 'schemas');
  if (!schemas || !ts.isPropertySignature(schemas) || !schemas.type || !ts.isTypeLiteralNode(schemas.type))
    throw new Error('The types have no components.schemas.');
  const properties = schemas.type.members.filter(ts.isPropertySignature);
  const names = new Set(properties.map(nameOf));
  const { factory } = ts;

  const declarations = properties.map((property) => {
    const name = nameOf(property);
    const exported = [factory.createToken(ts.SyntaxKind.ExportKeyword)];
    if (!property.type) throw new Error(`The schema ${name} has no type.`);
    const type = plain(property.type);
    const declaration =
      ts.isTypeLiteralNode(type) && !isRecord(type)
        ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
        : factory.createTypeAliasDeclaration(exported, name, undefined, type);
    return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(property));
  });
  for (const property of properties) {
    ts.setSyntheticLeadingComments(property, undefined);
    // References elsewhere use this name.
    Object.assign(property, { type: factory.createTypeReferenceNode(nameOf(property)) });
  }
  const isAlias = (node: ts.Node) => ts.isTypeAliasDeclaration(node) && names.has(node.name.text);
  return [...nodes.filter((node) => !isAlias(node)), ...declarations].map((node) => withNames(node, names));
}

/** `A & unknown` is `A`. */
function plain(type: ts.TypeNode): ts.TypeNode {
  if (!ts.isIntersectionTypeNode(type)) return type;
  const [only, ...more] = type.types.filter(({ kind }) => kind !== ts.SyntaxKind.UnknownKeyword);
  return only && more.length === 0 ? only : type;
}

/**
 * Whether all fields are arrays of the same schema, such as files by directory. These become type aliases, because
 * `Object.entries` infers the values of an alias, but not of an interface.
 */
function isRecord({ members }: ts.TypeLiteralNode): boolean {
  const arrays = members.map((member) => (ts.isPropertySignature(member) ? member.type : undefined));
  const items = arrays.map((type) => (type && ts.isArrayTypeNode(type) ? schemaOf(type.elementType) : undefined));
  return items.length > 1 && items[0] !== undefined && new Set(items).size === 1;
}

const nameOf = ({ name }: { readonly name?: ts.PropertyName | undefined }): string =>
  name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : '';

/** `components['schemas']['Execution']` as `Execution`. */
function withNames<T extends ts.Node>(node: T, names: ReadonlySet<string>): T {
  const visit = (inner: ts.Node): ts.Node => {
    const name = schemaOf(inner);
    return name !== undefined && names.has(name)
      ? ts.factory.createTypeReferenceNode(name)
      : ts.visitEachChild(inner, visit, undefined);
  };
  return ts.visitNode(node, visit) as T;
}

function schemaOf(node: ts.Node): string | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return undefined;
  const { objectType, indexType } = node.objectType;
  const isSchemas =
    ts.isTypeReferenceNode(objectType) &&
    ts.isIdentifier(objectType.typeName) &&
    objectType.typeName.text === 'components' &&
    literalOf(indexType) === 'schemas';
  return isSchemas ? literalOf(node.indexType) : undefined;
}

const literalOf = (node: ts.TypeNode): string | undefined =>
  ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? node.literal.text : undefined;
