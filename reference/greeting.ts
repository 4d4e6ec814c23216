import { operationIds, operations } from '../generated/operations.js';
import type { Reference } from './index.js';

const doings: Record<keyof Reference['fixtures']['workflows'], string> = {
  completes: 'completes',
  fails: 'fails, with a script failure',
  cancelled: 'is cancelled',
  pauses: 'is paused, then completes by itself',
  pausesByAgent: 'is paused by its agent, then completes by itself',
  awaitsConfirmation: 'awaits confirmation, then completes by itself',
  slow: 'completes, and takes five times as long',
  variantMode: 'has variant_mode enabled',
  writesFiles: 'leaves files',
};

/** The text for whoever started the service: its address, what it contains, and a request that works. */
export function greeting({ url, fixtures: target, keys }: Reference): string {
  const { path, keyHeader } = operations.executeSync;
  const start = url + path.replace('{workflowId}', target.workflows.completes);
  const { denied } = target.apiKeys.restricted;
  const rows: [string, string][] = [
    [keys.full, 'key: may do everything except what needs an administrator'],
    [keys.admin, 'key of an administrator'],
    [
      keys.restricted,
      `key without permission: ${denied.length < operationIds.length ? denied.join(', ') : 'every operation'}`,
    ],
    [keys.otherOrganization, 'key of another organization'],
    ...Object.entries(doings).map(([name, doing]): [string, string] => [
      target.workflows[name as keyof typeof doings],
      `workflow that ${doing}`,
    ]),
    [target.capacity.workflow, 'workflow that holds its profile, then completes'],
    [target.capacity.profileGroup, 'profile group with one profile: fill it to see capacity run out'],
    [target.profileGroup, 'profile group with several profiles'],
    [target.pool, 'profile group to delete'],
    [target.profile, 'profile with a cookie, a credential and a proxy'],
    [target.otherProfile, 'another profile of the same organization'],
    [target.otherOrganization, 'organization that duplicates may go to'],
    [target.execution, 'execution that has ended, with a comment and a label'],
    [target.tempFile.id, `temp file, uploaded as ${target.tempFile.name}`],
  ];
  const width = Math.max(...rows.map(([id]) => id.length));
  return `The reference service listens on ${url}
It implements the whole contract, in memory only. Versions 1 to ${target.publishedVersion} exist; agents time out after ${target.agentHardTimeoutMins} minutes.

${rows.map(([id, what]) => `  ${id.padEnd(width)}  ${what}`).join('\n')}

Run a workflow to its end:

  curl -H '${keyHeader}: ${keys.full}' -H 'Content-Type: application/json' -d '{"inputs":{"month":"2026-02"}}' ${start}

Ctrl-C stops the service after pending requests are answered.
`;
}
