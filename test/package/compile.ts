import { join, sep } from 'node:path';
import ts from 'typescript';

const libraries = join('node_modules', 'typescript', 'lib');

/** The language's own declarations, read once for all programs. */
const read = new Map<string, ts.SourceFile | undefined>();

function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile(name, language, onError, anew) {
      if (!name.includes(libraries.replaceAll(sep, '/'))) return host.getSourceFile(name, language, onError, anew);
      if (!read.has(name)) read.set(name, host.getSourceFile(name, language, onError, anew));
      return read.get(name);
    },
  };
}

/**
 * What the compiler says of some files and of all that they lead to in this package, its declarations too; it is in this
 * process, since starting one takes longer than most of these programs. What others declare is taken as it is.
 */
export function compile(
  folder: string,
  files: readonly string[],
  compilerOptions: Readonly<Record<string, unknown>>,
): string[] {
  const config = join(folder, 'tsconfig.json');
  const { options, errors } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, noEmit: true }, folder, config);
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    options,
    hostOf(options),
  );
  const isOurs = ({ fileName }: ts.SourceFile) =>
    !fileName.includes('/node_modules/') || fileName.includes('/node_modules/workflow-execution-contract/');
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program
      .getSourceFiles()
      .filter(isOurs)
      .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return found.map(({ file, start = 0, messageText }) => {
    const line = file
      ? `${file.fileName.slice(folder.length + 1)}:${file.getLineAndCharacterOfPosition(start).line + 1} `
      : '';
    return `${line}${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
