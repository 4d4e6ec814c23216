/** A service with an operator, who can do what the interface has no operation for. */
import { expect } from 'vitest';
import { type CheckOptions, check, type Run } from '../../conformance/check.js';
import { VirtualClock } from '../../conformance/engine/send/clock.js';
import type { RunHook } from '../../conformance/engine/send/hook.js';
import { type TargetFile, toTarget } from '../../conformance/suite/target/target.js';
import { inProcess } from '../../proof/transport.js';
import { createApp } from '../../reference/app.js';
import { createReference } from '../../reference/index.js';
import { createService } from '../../reference/service.js';
import { memory } from './interrupted.js';

export const hooks = {
  makePool: 'make-pool',
  makeTempFile: 'make-temp-file',
  cancelExecution: 'cancel',
  deleteCopy: 'delete-copy',
} as const;

/** What a target file declares differently; undefined removes an entry. */
type Declared = { readonly [name in keyof TargetFile]?: TargetFile[name] | undefined };

/** Creates a service that lives on from run to run, with its operator. */
export function serviceWithOperator(declared: Declared) {
  const clock = new VirtualClock();
  const own = createService({ clock, seed: 1, report: () => {} });
  const reference = createReference();
  const { pool: seeded, ...file } = reference.fixtures;
  const organizations = [...own.store.organizations.values()];
  const organization = organizations.find(({ pools }) => pools.has(seeded));
  if (!organization) throw new Error('The reference service has no such pool.');
  const members = organization.pools.get(seeded)?.profileIds ?? [];
  const called: string[] = [];
  const runHook: RunHook = async (command, { BASE_URL, EXECUTION_ID = '', PROFILE_ID = '' }) => {
    expect(BASE_URL).toBe(file.baseUrl);
    called.push(command);
    if (command === hooks.makePool) {
      const id = own.newId();
      organization.pools.set(id, { id, profileIds: members });
      return { printed: id };
    }
    if (command === hooks.makeTempFile) return { printed: `${file.tempFile.id} ${file.tempFile.name}` };
    const run = organization.runs.get(EXECUTION_ID);
    if (command === hooks.cancelExecution && run) {
      run.status = 'cancelled';
      run.terminalAt = clock.now();
      return { printed: '' };
    }
    const isDeleted = () => organizations.some(({ profiles }) => profiles.delete(PROFILE_ID));
    if (command === hooks.deleteCopy && isDeleted()) return { printed: '' };
    return { failed: 'it ended with 1: nothing there' };
  };
  const { knownCopies, copies } = memory();
  const app = createApp(own, { report: () => {} });
  const target = toTarget({ ...file, ...declared } as TargetFile);
  const transport = inProcess(async (request) => app(request), clock);
  return {
    target,
    transport,
    called,
    things: () => organizations.reduce((sum, { profiles, pools }) => sum + profiles.size + pools.size, 0),
    remembered: copies,
    /** The profiles that the target file declares, as the service stores them. */
    declared: () => JSON.stringify([file.profile, file.otherProfile].map((id) => organization.profiles.get(id))),
    run: (more: Partial<CheckOptions> = {}): Promise<Run> =>
      clock.run(check({ target, transport, clock, seed: 1, knownCopies, runHook, ...more })),
  };
}

export const verdicts = (run: Run) => Object.fromEntries(run.rules.map(({ id, verdict }) => [id, verdict]));
