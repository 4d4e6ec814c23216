import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { targetTemplate } from '../../cli/target-template.js';
import { missingNeedsAdvice } from '../../conformance/engine/settings/needs.js';
import { plan } from '../../conformance/plan.js';
import { type TargetFile, toTarget } from '../../conformance/suite/target/target.js';
import { rules } from '../../generated/rules.js';

/** In the order of the file, as each is told to come on top of those before; what stands with the keys is last. */
const declarations = [
  ...['completes', 'slow', 'writesFiles', 'variantMode', 'fails', 'cancelled', 'pauses', 'pausesByAgent'].map(
    (role) => `workflows.${role}`,
  ),
  'workflows.awaitsConfirmation',
  ...['profile', 'capacity', 'profileGroup', 'pool', 'otherProfile', 'otherOrganization', 'publishedVersion'],
  ...['agentHardTimeoutMins', 'tempFile', 'apiKeys.restricted'],
];

type Tree = { [name: string]: unknown };

/** `from` with the part at a dotted path taken over into `into`. */
function taken(into: Tree, from: Tree, path: string): Tree {
  const [name = '', rest] = path.split(/\.(.*)/s);
  const inner = from[name] as Tree;
  return { ...into, [name]: rest ? taken((into[name] ?? {}) as Tree, inner, rest) : inner };
}

it('init names for each declaration the number of rules that it adds, and the number of executions', async () => {
  const everything = parse(targetTemplate.replaceAll(/^#(?=[a-z]| {2,})/gm, '')) as Tree;
  let file: Tree = { baseUrl: everything.baseUrl, allow: 'delete' };
  const count = async () => {
    const target = toTarget(file as unknown as TargetFile);
    const { executions } = await plan(target);
    const untested = rules.filter((rule) => missingNeedsAdvice(rule, target.facts) !== undefined);
    return { untested: untested.length, executions };
  };
  let before = await count();
  const brings: Record<string, { rules: number; executions: number }> = {};
  for (const path of declarations) {
    file = taken(file, everything, path);
    const now = await count();
    brings[path] = { rules: before.untested - now.untested, executions: now.executions - before.executions };
    before = now;
  }
  await expect(`${JSON.stringify(brings, null, 2)}\n`).toMatchFileSnapshot('../../cli/brings.json');
}, 180_000);
