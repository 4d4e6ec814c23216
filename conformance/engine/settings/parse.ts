/** Parses YAML and JSON files of users, and finds the place of a mistake in them. */

import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLParseError,
} from 'yaml';
import { nearest } from '../../../common/nearest.js';
import type { FileValidator, MistakenPart } from '../../../generated/settings.js';
import { type Mistake, type Path, SettingsError } from './file.js';

// Explains violations of a schema to the user who wrote the file.

/** The keywords of JSON Schema that describe files of users. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly then?: Schema;
  readonly [keyword: string]: unknown;
}

/** Nobody reads more, and searching for similar names takes time. */
const mostTold = 20;

/** Finds the violations of a schema, explained with a remedy. Does not quote values: they may be secret. */
export function mistakesBy(schema: Schema, validate: FileValidator): (value: unknown) => Mistake[] {
  const allNames = names(schema);
  return (value) => {
    validate(value);
    return firstMistakes(mistakesIn(validate.errors ?? [], allNames));
  };
}

function* mistakesIn(errors: readonly MistakenPart[], known: readonly string[]): Iterable<Mistake> {
  // The branch of an `if` reports by itself.
  for (const error of errors) if (error.keyword !== 'if') yield mistakeIn(error, known);
}

/** The first mistakes; a file may have any number of them. */
export function firstMistakes(mistakes: Iterable<Mistake>): Mistake[] {
  const found: Mistake[] = [];
  for (const mistake of mistakes) {
    if (found.length === mostTold) return [...found, { path: [], text: 'the file has more mistakes.' }];
    found.push(mistake);
  }
  return found;
}

/** `workflows.completes`, `denied[0]`. */
const dotted = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');

/** The parameters of an error; each keyword has its own. */
interface Params {
  readonly additionalProperty: string;
  readonly missingProperty: string;
  readonly allowedValues: readonly string[];
  readonly type: keyof typeof typeNames;
  readonly limit: number;
}

function mistakeIn(error: MistakenPart, known: readonly string[]): Mistake {
  const { keyword, data } = error;
  const params = error.params as unknown as Params;
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
  const name = dotted(path) || 'the file';
  const schema = error.parentSchema as Schema;
  const mistake = (text: string): Mistake => ({ path, text: `${name} ${text}` });

  if (keyword === 'additionalProperties') return unknown([...path, params.additionalProperty], schema, known);
  if (keyword === 'required') return { path, text: `${dotted([...path, params.missingProperty])} is missing.` };
  if (data === null) return mistake(`is empty: fill it in${path.length > 0 ? ', or take it out' : ''}.`);
  if (keyword === 'enum') return mistake(`must be one of ${params.allowedValues.join(', ')}.`);
  // The description of a pattern says what is expected.
  if (schema.pattern) return mistake(`must be ${schema.description}.`);
  if (keyword === 'type') return mistake(`must be ${typeNames[params.type]}.`);
  if (keyword === 'exclusiveMinimum') return mistake(`must be more than ${params.limit}.`);
  if (keyword === 'minimum') return mistake(`must be at least ${params.limit}.`);
  if (keyword === 'minLength' || keyword === 'minItems') return mistake('must not be empty.');
  if (keyword === 'uniqueItems') return mistake('lists an item twice.');
  return mistake(`${error.message}.`);
}

const typeNames = {
  object: 'a map',
  array: 'a list',
  string: 'text (in quotes, if it looks like a number)',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
} as const;

/** Reports an unknown name, with the known one that is most similar: beside it, or anywhere in the file. */
function unknown(path: Path, { properties = {} }: Schema, known: readonly string[]): Mistake {
  const names = Object.keys(properties);
  const beside = nearest(String(path.at(-1)), names);
  const meant = beside === undefined ? elsewhere(path, known) : dotted([...path.slice(0, -1), beside]);
  const remedy = meant === undefined ? `use one of ${names.join(', ')}.` : `did you mean ${meant}?`;
  return { path, text: `${dotted(path)} is unknown; ${remedy}`, isUnknown: true };
}

/** The known name that is most similar as a whole, or else in its last part. */
function elsewhere(path: Path, known: readonly string[]): string | undefined {
  const end = (name: string) => name.slice(name.lastIndexOf('.') + 1);
  const alike = nearest(end(dotted(path)), known.map(end));
  return nearest(dotted(path), known) ?? known.find((name) => end(name) === alike);
}

/** All dotted names in a schema, including its definitions. */
const names = (schema: Schema, prefix = '', root = schema): string[] =>
  Object.entries(propertiesOf(schema, root)).flatMap(([name, inner]) => [
    prefix + name,
    ...names(inner, `${prefix}${name}.`, root),
  ]);

/** The properties of a map. If it is one of two alternatives, those of that one. */
function propertiesOf({ $ref, then, properties = {} }: Schema, root: Schema): NonNullable<Schema['properties']> {
  const inner = $ref === undefined ? then : root.$defs?.[$ref.slice('#/$defs/'.length)];
  return inner ? propertiesOf(inner, root) : properties;
}

/** A parsed file that still knows where everything is. */
interface SettingsFile {
  readonly value: unknown;
  /** Makes an error of mistakes, with their places. */
  error(mistakes: readonly Mistake[]): SettingsError;
}

const longestCompared = 64 * 1024;

/** Reads YAML, which includes JSON. Throws a SettingsError for other texts. */
export function parseSettings(file: string, text: string): SettingsFile {
  const lines = new LineCounter();
  // The comparison of all names is slow, and no file that people write is so long.
  const uniqueKeys = text.length < longestCompared;
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error', uniqueKeys });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const refusals = tellable(document.errors).map((error) => `${at(error.pos[0])}: ${refusal(error, text)}`);
  if (refusals.length > 0) throw new SettingsError(file, refusals);
  return {
    value: data(file, document),
    error: (mistakes) =>
      new SettingsError(
        file,
        mistakes
          .map(({ path, text }) => ({ text, offset: offset(document, path) }))
          .sort((a, b) => a.offset - b.offset)
          .map(({ text, offset }) => `${at(offset)}: ${text}`),
      ),
  };
}

/** One mistake causes several parser errors, so only the first is reported, and duplicate keys. */
function tellable(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const [first] = errors.filter(({ code }) => code !== 'DUPLICATE_KEY');
  return errors.filter((error) => error === first || error.code === 'DUPLICATE_KEY');
}

/** The parser's message; a remedy for common mistakes. */
function refusal({ code, message, pos: [from] }: YAMLParseError, text: string): string {
  if (code === 'DUPLICATE_KEY') return `${/^[^:\s]+/.exec(text.slice(from))} is there twice; keep one of them.`;
  if (code === 'MULTIPLE_DOCS') return 'another document begins with ---; keep one of them.';
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'a name follows a value; indent it like its neighbours, or put a value with a colon in it in quotes.';
  if (code === 'TAB_AS_INDENT') return 'a tab indents nothing; indent with spaces.';
  if (code === 'BAD_SCALAR_START') return `a value that begins with ${text[from]} needs quotes around it.`;
  if (text.startsWith('${', from - 1)) return `\${NAME} within {…} needs quotes around it: "\${NAME}".`;
  if (message.startsWith('Maximum call stack')) return 'it is nested too deep.';
  return `${message}.`;
}

function data(file: string, document: Document): unknown {
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // An alias that names nothing was mostly meant as text, as in `Accept: */*`; others would expand without end.
    const { message } = error as Error;
    const remedy = message.startsWith('Unresolved alias') ? ' A value that begins with * needs quotes around it.' : '';
    throw new SettingsError(file, [`${file}: ${message}.${remedy}`]);
  }
  if (!endsSomewhere(value))
    throw new SettingsError(file, [`${file}: an alias (*) refers to a part that contains it; remove the alias.`]);
  return value;
}

const deepest = 100;

/** Whether the value is finite: an alias may refer to what contains it. */
const endsSomewhere = (value: unknown, depth = 0): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth < deepest && Object.values(value).every((inner) => endsSomewhere(inner, depth + 1)));

/** Where a key or a list item begins; if it does not exist, the nearest place around it. */
function offset(document: Document.Parsed, path: Path): number {
  let [node, found]: [unknown, number] = [document.contents, document.contents?.range[0] ?? 0];
  for (const step of path) {
    const inner = isAlias(node) ? node.resolve(document) : node;
    if (isMap(inner)) {
      const pair = inner.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!isScalar(pair?.key)) break;
      [node, found] = [pair.value, pair.key.range?.[0] ?? found];
    } else if (isSeq(inner) && typeof step === 'number') {
      node = inner.items[step];
      found = (node as Node | undefined)?.range?.[0] ?? found;
    } else break;
  }
  return found;
}
