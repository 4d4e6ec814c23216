/** What earlier versions had, and what to use instead: commands by their name, options of any command as `--name`. */
const removed: Readonly<Record<string, string>> = {
  '--explore': 'run Schemathesis over generated/openapi.json: see docs/check.md.',
  restore: 'check changes no profile that it did not make, so there is nothing to restore.',
};

/** The line for an unknown command or option (or `--name=value`) that earlier versions had. */
export function removalOf(unknown: string): string | undefined {
  const [name = ''] = unknown.split('=');
  return Object.hasOwn(removed, name) ? `${name} was removed; ${removed[name]}` : undefined;
}
