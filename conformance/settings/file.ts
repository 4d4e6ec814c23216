import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
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

const MB = 1024 * 1024;
/** A JSON report of a long run; a longer text fits into no string. */
const longest = 400 * MB;
/** A list that people keep, such as a baseline. */
export const longestList = MB;
const waitForWriterMs = 500;
const longestCompared = 64 * 1024;

/**
 * The text of a file that the user named, `-` for standard input. Throws a SettingsError when it cannot be read, or when
 * it is longer than any such file: a device without an end, a pipe that nobody writes into.
 */
export function readText(file: string, most = longest): string {
  let bytes: Buffer;
  try {
    bytes = readBytes(file, most);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = { ENOENT: 'does not exist', EISDIR: 'is a folder', EACCES: 'may not be read' }[code ?? ''];
    throw new SettingsError(file, [`${file} ${why ?? `cannot be read: ${message}`}.`]);
  }
  // What PowerShell writes with `>`.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new SettingsError(file, [`${file} is no text in UTF-8; save it as such.`]);
  }
}

function readBytes(file: string, most: number): Buffer {
  const refuse = (why: string) => new SettingsError(file, [`${file} ${why}.`]);
  const isInput = file === '-';
  // Or a pipe without a writer would never be open.
  const handle = isInput ? 0 : openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    // A device may have no end.
    const end = stats.isCharacterDevice() ? Math.min(most, MB) : most;
    if (stats.size > end) throw refuse(tooLong(end));
    const chunks: Buffer[] = [];
    const giveUp = performance.now() + waitForWriterMs;
    for (let size = 0; ; ) {
      const chunk = Buffer.alloc(Math.min(end + 1, MB));
      const read = readSome(handle, chunk);
      // A pipe: nobody writes into it yet, or what is written is not there yet.
      if (read < 0 || (read === 0 && !isInput && stats.isFIFO() && size === 0 && performance.now() < giveUp)) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
        continue;
      }
      if (read === 0 && !isInput && stats.isFIFO() && size === 0) throw refuse('is a pipe that nobody writes into');
      if (read === 0) return Buffer.concat(chunks);
      size += read;
      if (size > end) throw refuse(tooLong(end));
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    if (!isInput) closeSync(handle);
  }
}

const tooLong = (most: number): string =>
  `is longer than ${most < MB ? `${most / 1024} kB` : `${most / MB} MB`}, which no such file is`;

/** Bytes that were read, 0 at the end, or -1 where there are none yet. */
function readSome(handle: number, into: Buffer): number {
  try {
    return readSync(handle, into);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return -1;
    throw error;
  }
}

/** Reads YAML, of which JSON is a part. Throws a SettingsError when the text is neither. */
export function parseSettings(file: string, text: string): SettingsFile {
  const lines = new LineCounter();
  // To compare each name with each other takes its time, and no file that people write is so long.
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

/** One slip makes the parser stumble more than once: of what it does not understand only the first is told. */
function tellable(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const [first] = errors.filter(({ code }) => code !== 'DUPLICATE_KEY');
  return errors.filter((error) => error === first || error.code === 'DUPLICATE_KEY');
}

/** What the parser says; in words with the way out where that is a slip of many. */
function refusal({ code, message, pos: [from] }: YAMLParseError, text: string): string {
  if (code === 'DUPLICATE_KEY') return `${/^[^:\s]+/.exec(text.slice(from))} is there twice; keep one of them.`;
  if (code === 'MULTIPLE_DOCS') return 'another document begins with ---; keep one of them.';
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'a name follows a value; indent it like its neighbours, or put a value with a colon in it in quotes.';
  if (text.startsWith('${', from - 1)) return `\${NAME} within {…} needs quotes around it: "\${NAME}".`;
  if (message.startsWith('Maximum call stack')) return 'it is nested too deep.';
  return `${message}.`;
}

function data(file: string, document: Document): unknown {
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // Aliases that would unfold without end.
    throw new SettingsError(file, [`${file}: ${(error as Error).message}.`]);
  }
  if (!endsSomewhere(value)) throw new SettingsError(file, [`${file}: it holds itself, or is nested without end.`]);
  return value;
}

const deepest = 100;

/** An alias may stand for what it is in. */
const endsSomewhere = (value: unknown, depth = 0): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth < deepest && Object.values(value).every((inner) => endsSomewhere(inner, depth + 1)));

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
