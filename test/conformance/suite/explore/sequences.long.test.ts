import { describe, expect, test } from 'vitest';
import type { Run } from '../../../../conformance/check.js';
import { answerBody } from '../../../../conformance/engine/outcome/read.js';
import { assemble } from '../../../../conformance/engine/report/assemble.js';
import { isNoop } from '../../../../conformance/suite/profiles/settings.js';
import { toTarget } from '../../../../conformance/suite/target/target.js';
import { createReference, type Fault } from '../../../../deviations/index.js';
import { plainFlags } from '../../../../generated/flags.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { printed, withShell } from '../../../support/shell.js';

const { target: file } = createReference();
const roomy = { executions: 120, copies: 100 };
const explored = (
  faults: readonly Fault[] = [],
  { budget = roomy, seed = 3, requests = 500, allow = 'delete' as const } = {},
): Promise<Run> =>
  checkInProcess({ faults }, { target: toTarget({ ...file, allow, budget }), explore: { requests, seed }, seed });

const inSequences = ({ evidence }: Run) => evidence.exchanges.filter(({ mark }) => mark?.sequence !== undefined);
const broken = ({ rules }: Run) => rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
const found = ({ remarks }: Run) => remarks.slice(1);

const flag = plainFlags.at(-1);

/** A fault that the journeys do not meet, whatever they come to send: it takes a name as sequences give them. */
const forgetful: Fault = {
  id: 'forgets-a-flag-after-a-rename',
  breaks: ['update-is-partial'],
  says: 'The first description after a copy was renamed to such a name turns a flag over.',
  behaviour: (base) => {
    const copies = new Set<string>();
    const renamed = new Set<string>();
    return {
      copyProfile(...of) {
        const copy = base.copyProfile(...of);
        copies.add(copy.id);
        return copy;
      },
      storeProfile(organization, profile) {
        const { id } = profile;
        const before = organization.profiles.get(id);
        const forgets = renamed.has(id) && before?.description !== profile.description;
        const isNew = before?.name !== profile.name && /^conformance-[a-z\d]+-\d+-\d+/.test(profile.name);
        if (copies.has(id) && isNew) renamed.add(id);
        else renamed.delete(id);
        base.storeProfile(organization, forgets && flag ? { ...profile, [flag]: !profile[flag] } : profile);
      },
    };
  },
};

test('on a service that conforms sequences find nothing, and leave its profile alone', async () => {
  const run = await explored();
  expect(broken(run)).toEqual([]);
  expect(found(run)).toEqual([]);
  const steps = inSequences(run);
  expect(steps.length).toBeGreaterThan(140);
  const operations = new Set(steps.map(({ operation }) => operation));
  expect(operations.size).toBe(7);
  for (const { operation, resource, request } of steps)
    if (operation === 'updateProfile' && resource === file.profile)
      expect(request.body.kind === 'json' && isNoop(request.body.value)).toBe(true);
});

describe.runIf(flag)('on a service with a fault that no journey meets', () => {
  test('the journeys find nothing', async () => {
    expect(broken(await checkInProcess({ faults: [forgetful] }))).toEqual([]);
  });

  test('a sequence finds it, is made shorter, and it alone is judged', async () => {
    const run = await explored([forgetful]);
    expect(broken(run)).toContain('update-is-partial');
    const [remark = ''] = found(run).filter((text) => text.startsWith('update-is-partial'));
    expect(remark).toMatch(
      new RegExp(
        String.raw`^update-is-partial on updateProfile ${flag} …, as it was not sent, in 2 steps \(seed 3, sequence \d+\): 1\. update (copy [^:]+): [^;]*name[^;]*; 2\. update \1: [^;]*description$`,
      ),
    );
    const [violation] = run.rules.find(({ id }) => id === 'update-is-partial')?.violations ?? [];
    const [first = 0] = violation?.exchanges ?? [];
    const { mark } = run.evidence.exchanges.find(({ id }) => id === first) ?? {};
    expect(inSequences(run).filter((one) => one.mark?.sequence === mark?.sequence)).toHaveLength(6);
  });

  test('the same seed finds the same, another one may find it elsewhere', async () => {
    const [one, again, other] = await Promise.all([3, 3, 4].map((seed) => explored([forgetful], { seed })));
    expect(again && found(again)).toEqual(one && found(one));
    expect(other && broken(other)).toContain('update-is-partial');
    expect(other && found(other)).not.toEqual(one && found(one));
  });

  // Only a shell and curl show that a script runs, and not every machine has them.
  withShell('the script of the report shows it again, on another service with the same fault', async () => {
    const run = await explored([forgetful]);
    const { rules } = assemble(
      run,
      { verdict: 'nonconformant', reason: '', rules: run.rules, exitCode: 1, remarks: [] },
      toTarget(file).facts,
    );
    const [violation] = rules.find(({ id }) => id === 'update-is-partial')?.violations ?? [];
    const { again = '' } = violation ?? {};
    expect(again.match(/^# \d\. \w+ \(\w+\)/gm)).toEqual([
      '# 1. duplicateProfile (duplicate)',
      '# 2. updateProfile (look)',
      '# 3. updateProfile (update)',
      '# 4. updateProfile (update)',
      '# 5. updateProfile (look)',
    ]);
    const output = await printed(again, forgetful);
    const flags = [...output.matchAll(new RegExp(`"${flag}":(\\w+)`, 'g'))].map(([, value]) => value);
    expect(new Set(flags.slice(0, 4)).size).toBe(1);
    expect(flags[4]).not.toBe(flags[0]);
  });
});

const bounds: [what: string, how: Parameters<typeof explored>[1], sent: (run: Run) => unknown, expected: unknown][] = [
  [
    'no copy is made where none is left',
    { budget: { executions: 120, copies: 4 } },
    ({ leftBehind }) => leftBehind.filter(({ kind }) => kind === 'profile').length,
    4,
  ],
  [
    'no execution is started beyond the budget',
    { budget: { executions: 44, copies: 10 } },
    ({ executionsStarted }) => executionsStarted <= 44,
    true,
  ],
  [
    'copies end at the budget',
    { budget: { executions: 120, copies: 9 }, requests: 800 },
    ({ leftBehind }) => leftBehind.filter(({ kind }) => kind === 'profile').length <= 9,
    true,
  ],
];
test.each(bounds)('%s', async (_, how, sent, expected) => {
  const run = await explored([], how);
  expect(sent(run)).toEqual(expected);
  expect(run.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
});

test('without an exploration nothing is a step of a sequence', async () => {
  expect(inSequences(await checkInProcess({}))).toEqual([]);
});

test.each([40, 260])('a run that is stopped %i turns into its sequences leaves the profile alone', async (turns) => {
  const stop = new AbortController();
  const stopSoon = (left: number) => (left > 0 ? setImmediate(stopSoon, left - 1) : stop.abort());
  let isSeen = false;
  const run = await checkInProcess(
    {},
    {
      target: toTarget({ ...file, budget: roomy }),
      explore: { requests: 600, seed: 3 },
      signal: stop.signal,
    },
    (transport) => (request) => {
      if (!isSeen && request.mark.sequence !== undefined) stopSoon(turns);
      isSeen ||= request.mark.sequence !== undefined;
      return transport(request);
    },
  );
  expect(run.stopped).toBeDefined();
  expect(inSequences(run).length).toBeLessThan(300);
  for (const { operation, resource, request } of inSequences(run))
    if (operation === 'updateProfile' && resource === file.profile)
      expect(request.body.kind === 'json' && isNoop(request.body.value)).toBe(true);
  const left = run.leftBehind.map(({ kind, id }) => `${kind} ${id}`);
  expect(left.filter((text) => text.startsWith('profile settings'))).toEqual([]);
  // Each copy is told of.
  for (const one of inSequences(run))
    if (one.operation === 'duplicateProfile') expect(left).toContain(`profile ${answerBody(one)?.id}`);
  expect(broken(run)).toEqual([]);
});
