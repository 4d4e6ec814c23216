/** Builds the type declarations of the package. */

import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** The sources whose types consumers import. */
const entryPoints = [
  'client/index.ts',
  'generated/types.ts',
  'generated/handlers.ts',
  'generated/validators.d.ts',
  'certify/double.ts',
  'conformance/index.ts',
  'conformance/vitest.ts',
];

/** Those of them that can also be required. */
const common = [
  'client/index.ts',
  'generated/types.ts',
  'generated/handlers.ts',
  'generated/validators.d.ts',
  'certify/double.ts',
];

/**
 * The declarations of the entry points and of all that they import, by path. Throws if a source cannot be declared.
 * Types are checked by `npm run typecheck`.
 */
export function declarations(root: string): ReadonlyMap<string, string> {
  const configFile = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root, configFile);
  const program = ts.createProgram(
    entryPoints.map((file) => join(root, file)),
    {
      ...options,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      rootDir: root,
      outDir: root,
    },
  );

  const files = new Map<string, string>();
  const reach = (path: string) => {
    const source = program.getSourceFile(`${path}.ts`) ?? program.getSourceFile(`${path}.d.ts`);
    if (!source) throw new Error(`${path} is imported by a declaration and cannot be declared.`);
    const file = relative(root, `${path}.d.ts`);
    if (files.has(file)) return;
    const text = source.isDeclarationFile ? source.text : declaration(program, source);
    files.set(file, text);
    for (const { fileName } of ts.preProcessFile(text).importedFiles)
      if (fileName.startsWith('.')) reach(join(dirname(path), fileName).replace(/\.js$/, ''));
  };
  const reachAll = (entries: readonly string[]) => {
    for (const entry of entries) reach(join(root, entry).replace(/(\.d)?\.ts$/, ''));
  };
  reachAll(common);
  const controls = [...files].map(([file, text]) => [file.replace(/\.ts$/, '.cts'), forCommonJs(text)] as const);
  reachAll(entryPoints);
  return new Map([...files, ...controls]);
}

function declaration(program: ts.Program, source: ts.SourceFile): string {
  let text = '';
  const { diagnostics } = program.emit(source, (_, emitted) => {
    // That a sentence of the register is a type of its own serves nothing, and takes most of its declaration.
    text = emitted.replace(/(readonly (?:says|asks|where|source): )"(?:[^"\\]|\\.)*"/g, '$1string');
  });
  const [fault] = diagnostics;
  if (fault) throw new Error(`${source.fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
  return text;
}

/** A declaration for CommonJS: it imports other declarations for CommonJS. */
const forCommonJs = (text: string): string => text.replace(/(['"]\.{1,2}\/[^'"]*)\.js(['"])/g, '$1.cjs$2');
