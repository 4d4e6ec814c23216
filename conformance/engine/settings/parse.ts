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
  visit,
  type YAMLParseError,
} from 'yaml';
import { type Mistake, type Path, SettingsError } from './file.js';

/** A parsed file that still knows where everything is. */
export interface SettingsFile {
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
    value: data(file, document, at),
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

function data(file: string, document: Document, at: (offset: number) => string): unknown {
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    const { message } = error as Error;
    const [, nowhere] = /^Unresolved alias .*: (.*)$/.exec(message) ?? [];
    // Usually it was meant as text, as in an Accept header.
    if (nowhere !== undefined)
      throw new SettingsError(file, [
        `${at(aliasOf(document, nowhere))}: a value that begins with * needs quotes around it.`,
      ]);
    // For example aliases that would expand without end.
    throw new SettingsError(file, [`${file}: ${message}.`]);
  }
  if (!endsSomewhere(value))
    throw new SettingsError(file, [`${file}: an alias (*) refers to a part that contains it; remove the alias.`]);
  return value;
}

function aliasOf(document: Document, name: string): number {
  let found = 0;
  visit(document, {
    Alias(_, { source, range }) {
      if (source !== name) return undefined;
      found = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
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
