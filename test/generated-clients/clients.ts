/** The clients that generators make of the contract, each with a caller that does with it what certify asks for. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { callerFile, document, openapiGenerator, output, python, root } from './tools.js';

export interface GeneratedClient {
  readonly id: string;
  /** Programs that the machine has to have. */
  readonly needs: readonly string[];
  /** Generates the client into an empty folder and builds the caller; gives the command that runs it. */
  make(folder: string): Promise<readonly string[]>;
}

/** Fields and options that a later version of the service adds are no error: without it the client refuses them. */
const takesNewFields = 'disallowAdditionalPropertiesIfNotPresent=false';

const pythonCaller = (id: string, generate: (folder: string, python: string) => Promise<unknown>): GeneratedClient => ({
  id,
  needs: id.startsWith('openapi-generator') ? ['python3', 'java'] : ['python3'],
  async make(folder) {
    const program = await python();
    await generate(folder, program);
    // Beside the package: there Python looks for it.
    await copyFile(callerFile(`${id}.py`), join(folder, 'caller.py'));
    return [program, join(folder, 'caller.py')];
  },
});

const typescriptCaller = (
  id: string,
  needs: readonly string[],
  generate: (folder: string) => Promise<unknown>,
): GeneratedClient => ({
  id,
  needs,
  async make(folder) {
    await generate(join(folder, 'workflow'));
    const [source, outfile] = [join(folder, 'caller.ts'), join(folder, 'caller.mjs')];
    await copyFile(callerFile(`${id}.ts`), source);
    await copyFile(callerFile('jobs.ts'), join(folder, 'jobs.ts'));
    const config = {
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      strict: true,
      skipLibCheck: true,
    };
    const compilerOptions = {
      ...config,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['caller.ts'] }));
    await output(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    await build({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'silent' });
    return [process.execPath, outfile];
  },
});

export const clients: readonly GeneratedClient[] = [
  pythonCaller('openapi-generator-python', (folder) =>
    openapiGenerator('python', folder, ['packageName=workflow_client', 'generateSourceCodeOnly=true']),
  ),
  pythonCaller('openapi-python-client', (folder, program) =>
    output(
      join(program, '../openapi-python-client'),
      ['generate', '--path', document, '--meta', 'none', '--output-path', join(folder, 'workflow_client')],
      folder,
    ),
  ),
  {
    id: 'openapi-generator-java',
    needs: ['python3', 'java', 'javac', 'mvn'],
    async make(folder) {
      // Else each request has the deprecated `dynamicData`, empty.
      await openapiGenerator('java', folder, [takesNewFields, 'containerDefaultToNull=true']);
      const paths = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath';
      const args = ['-Dmdep.outputFile=classpath', '-Dmdep.includeScope=runtime'];
      await output('mvn', ['-q', '-B', '-DskipTests', 'compile', paths, ...args], folder);
      const libraries = (await readFile(join(folder, 'classpath'), 'utf8')).trim();
      const classpath = `${join(folder, 'target/classes')}:${libraries}`;
      // Not with the client: that is written in an older Java.
      await output('javac', ['-cp', classpath, '-d', folder, callerFile('OpenapiGeneratorJava.java')]);
      return ['java', '-cp', `${folder}:${classpath}`, 'OpenapiGeneratorJava'];
    },
  },
  {
    id: 'openapi-generator-go',
    needs: ['python3', 'java', 'go'],
    async make(folder) {
      // Two lists of states have the same names in them: without the prefix they clash.
      const options = ['packageName=workflow', 'withGoMod=false', 'enumClassPrefix=true', takesNewFields];
      await openapiGenerator('go', join(folder, 'workflow'), options);
      await copyFile(callerFile('openapi-generator-go.go'), join(folder, 'main.go'));
      await writeFile(join(folder, 'go.mod'), 'module caller\n\ngo 1.23\n');
      await output('go', ['build', '-o', 'caller', '.'], folder);
      return [join(folder, 'caller')];
    },
  },
  typescriptCaller('openapi-generator-typescript', ['python3', 'java'], (folder) =>
    openapiGenerator('typescript-fetch', folder),
  ),
  typescriptCaller('hey-api', ['npm'], (folder) =>
    output(
      'npm',
      [
        ...['exec', '--yes', '--package=@hey-api/openapi-ts@0.94.0', '--package=typescript@5.9.3', '--'],
        ...['openapi-ts', '--input', document, '--output', folder],
      ],
      // In the checkout npm would take its TypeScript, and get a newer one for the generator, which cannot use that.
      dirname(folder),
    ),
  ),
];
