import type { Command } from 'commander';
import type { Context } from '../context.js';
import { shellWord } from '../shell-word.js';

export function addInit(program: Command, { stdout }: Context): void {
  program
    .command('init')
    .summary('write a target file to fill in')
    .description('Write a commented target file: it tells the suite where a service is and what it may use there.')
    .argument('[file]', 'where to write it; - is standard output', 'target.yaml')
    .option('--force', 'overwrite the file if it exists')
    .action(async (file: string, { force = false }: { force?: boolean }) => {
      const { targetTemplate, writeTargetFile } = await import('../init.js');
      if (file === '-') return void stdout.write(targetTemplate);
      await writeTargetFile(file, force);
      stdout.write(
        `${file} is written. Fill it in, put the API key into WORKFLOW_API_KEY, then: npx workflow-execution-contract check --target ${shellWord(file)}\n`,
      );
    });
}
