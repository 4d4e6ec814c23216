import { type Command, Option } from 'commander';
import type { Level } from '../../generated/rules.js';
import type { Context } from '../context.js';

export function addRules(program: Command, { stdout }: Context): void {
  program
    .command('rules')
    .summary('list the rules for a service, and the gaps')
    .description(
      'List the register: the rules for a service, what the interface leaves open, and the rules for callers.',
    )
    .argument('[ids...]', 'ids or globs such as "sync-*"; all of them when there is none')
    .addOption(new Option('--level <level>', 'only rules of this level').choices(['MUST', 'SHOULD']))
    .option('--json', 'print JSON instead of text')
    .addHelpText(
      'after',
      `
For each rule: its id, its level, the worst effect that judging it has on a service (read < execute < write < delete),
what a target file has to declare for it, and what it says.

Examples:
  npx workflow-execution-contract rules
  npx workflow-execution-contract rules "sync-*" "duplicate-*"
  npx workflow-execution-contract rules --level MUST --json
`,
    )
    .action(async (ids: string[], { level, json }: { level?: Level; json?: true }) => {
      const { selectRegister, registerText } = await import('../register.js');
      const register = selectRegister(ids, level);
      stdout.write(json ? `${JSON.stringify(register, null, 2)}\n` : registerText(register));
    });
}
