import { homedir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Where programs of this user keep what they remember from one run to the next, each in a folder of its own. */
export function stateFolder(env: Env, platform: NodeJS.Platform = process.platform, home: string = homedir()): string {
  const base =
    env.XDG_STATE_HOME ||
    (platform === 'win32'
      ? env.LOCALAPPDATA || join(home, 'AppData', 'Local')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : join(home, '.local', 'state'));
  return join(base, 'workflow-contract');
}
