import { readFileSync } from 'node:fs';
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

export type Path = readonly (string | number)[];

/** Something wrong in a file, at a place in it. */
export interface Mistake {
  readonly path: Path;
  readonly text: string;
}

/** All that is wrong with a file that the user wrote, a line each, with its place. Meant for the user. */
export class SettingsError extends Error {
  override name = 'SettingsError';
  /** conformance.md: usage or configuration. */
  readonly exitCode = 2;

  constructor(file: string, lines: readonly string[]) {
    super(lines.length === 1 ? lines[0] : [`${file} has ${lines.length} mistakes:`, ...lines].join('\n  '));
  }
}

/** A file that the user wrote, as data that still knows where everything stands. */
export interface SettingsFile {
  readonly value: unknown;
  /** The error that tells of these mistakes. */
  error(mistakes: readonly Mistake[]): SettingsError;
}

/** The text of a file that the user named, `-` for standard input. Throws a SettingsError when it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = { ENOENT: 'does not exist', EISDIR: 'is a folder', EACCES: 'may not be read' }[code ?? ''];
    throw new SettingsError(file, [`${file} ${why ?? `cannot be read: ${message}`}.`]);
  }
}

/** Reads YAML, of which JSON is a part. Throws a SettingsError when the text is neither. */
export function parseSettings(file: string, text: string): SettingsFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const refusals = document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}.`);
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

function data(file: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that would unfold without end.
    throw new SettingsError(file, [`${file}: ${(error as Error).message}.`]);
  }
}

/** Where the name of a value, or an item of a list, begins; the nearest place around it where the value is not there. */
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
