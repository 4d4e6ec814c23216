/** What all scripts share: `--help` shows how a script is used, and an error is told without a stack trace. */

/** The exit code of a script that could not do what it was asked for. */
const failed = 2;

/**
 * Runs a script. `usage` says how it is called; what `main` resolves to is the exit code (by default 0). `removed`: the
 * options that it had, and what to use instead.
 */
export async function script(
  name: string,
  usage: string,
  main: () => Promise<number> | Promise<void>,
  removed: Readonly<Record<string, string>> = {},
): Promise<void> {
  const text = `usage: ${usage}`;
  if (process.argv.includes('--help')) return console.log(text);
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, unknown = ''] = /^Unknown option '([^']*)'/.exec(message) ?? [];
    const instead = Object.hasOwn(removed, unknown) ? `${unknown} was removed; ${removed[unknown]}` : undefined;
    // Node adds to an unknown option how it could be meant as an argument.
    const said = instead ?? (isMisuse(error) ? `${message.split('. ')[0]}.\n${text}` : message);
    console.error(`${name}: ${said}`);
    process.exitCode = failed;
  }
}

/** A call that the script cannot carry out as it stands: the usage is shown beside the error. */
export class Misuse extends Error {}

const isMisuse = (error: unknown): boolean =>
  error instanceof Misuse || (error instanceof Error && 'code' in error && /^ERR_PARSE_ARGS/.test(String(error.code)));
