import { expect } from 'vitest';
import { isTerminal } from '../../../generated/lifecycle.js';
import type { Execution } from '../../../generated/types.js';
import { statuses, stops, type World } from '../world.js';

/** Every reading of a run of every workflow, in all its states. */
async function readings(world: World, ...names: (keyof World['target']['workflows'])[]): Promise<Execution[]> {
  const histories = [];
  for (const name of names) {
    const id = await world.start(
      world.target.workflows[name],
      name === 'variantMode' ? { executionOptions: { variantKey: 'a' } } : {},
    );
    histories.push(await world.history(id, 1800, 100));
  }
  return histories.flat();
}

export const executionRules = {
  'execution-is-the-one-asked-for': async (world: World) => {
    const { execution, workflows } = world.target;
    const seeded = await world.read(execution);
    expect(seeded).toMatchObject({ id: execution, workflowId: workflows.completes });
    expect(seeded.comments).toMatchObject([{ executionId: execution }]);
    const run = await world.run(workflows.fails);
    expect(run.workflowId).toBe(workflows.fails);
    expect(run.executionResult?.executionId ?? run.id).toBe(run.id);
  },
  'execution-is-readable-at-once': async (world: World) => {
    const { capacity } = world.target;
    const body = { profileGroupId: capacity.profileGroup, onCapacityLimit: 'queue' };
    await world.start(capacity.workflow, body);
    const queued = await world.start(capacity.workflow, body);
    expect((await world.read(queued)).id).toBe(queued);
  },
  'accepted-execution-is-readable': async ({ start, read, target }: World) => {
    for (const workflow of [target.workflows.completes, target.workflows.slow])
      expect((await read(await start(workflow))).status).toBe('starting');
  },
  'terminal-is-final': async (world: World) => {
    for (const name of ['completes', 'fails', 'cancelled'] as const) {
      const id = await world.start(world.target.workflows[name]);
      await world.clock.advance(300);
      const { status } = await world.read(id);
      expect(isTerminal(status)).toBe(true);
      for (const later of await world.history(id, 2000, 100)) expect(later.status).toBe(status);
    }
  },
  'terminal-record-is-fixed': async (world: World) => {
    for (const name of ['completes', 'fails', 'cancelled'] as const) {
      const id = await world.start(world.target.workflows[name]);
      await world.clock.advance(300);
      const ended = await world.read(id);
      expect(isTerminal(ended.status)).toBe(true);
      for (const later of await world.history(id, 2000, 100)) expect(later).toEqual(ended);
      await world.clock.advance(3_600_000);
      expect(await world.read(id)).toEqual(ended);
    }
  },
  'status-is-current': async (world: World) => {
    const id = await world.start(world.target.workflows.completes);
    const seen: (readonly [now: number, isOver: boolean])[] = [];
    while (seen.length < 100) {
      await world.clock.advance(10);
      const { status } = await world.read(id);
      seen.push([world.clock.now(), isTerminal(status)]);
    }
    const { terminalAt } = await world.read(id);
    if (terminalAt === undefined) return;
    expect(seen.map(([now]) => now >= Date.parse(terminalAt))).toEqual(seen.map(([, isOver]) => isOver));
  },
  'execution-progresses': async (world: World) => {
    const stop = (status: string) =>
      world.choices['other-transitions'] === 'direct'
        ? ['starting', status, 'completed']
        : ['starting', 'running', status, 'running', 'completed'];
    const want = {
      completes: ['starting', 'running', 'completed'],
      fails: ['starting', 'running', 'failed'],
      cancelled: ['starting', 'running', 'cancelled'],
      pauses: stop(stops.pauses),
      pausesByAgent: stop(stops.pausesByAgent),
      awaitsConfirmation: stop(stops.awaitsConfirmation),
      slow: ['starting', 'running', 'completed'],
      writesFiles: ['starting', 'running', 'completed'],
      variantMode: ['starting', 'running', 'completed'],
    } as const;
    for (const [name, states] of Object.entries(want) as [keyof typeof want, string[]][])
      expect([name, statuses(await readings(world, name))]).toEqual([name, states]);
  },
  'duration-only-when-terminal': async (world: World) => {
    for (const { status, duration } of await readings(world, 'pauses', 'slow'))
      if (!isTerminal(status)) expect(duration).toBeUndefined();
      else if (world.choices['optional-fields'] === 'all') expect(duration).toBeDefined();
  },
  'terminal-at-only-when-terminal': async (world: World) => {
    for (const { status, terminalAt, createdAt } of await readings(world, 'pauses', 'fails')) {
      expect(terminalAt !== undefined).toBe(isTerminal(status) && world.choices['optional-fields'] === 'all');
      if (terminalAt !== undefined) expect(Date.parse(terminalAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    }
  },
  'duration-is-in-seconds': async (world: World) => {
    const seeded = await world.read(world.target.execution);
    for (const { duration, createdAt, terminalAt } of [seeded, await world.run(world.target.workflows.slow)])
      if (duration !== undefined && terminalAt !== undefined)
        expect(duration).toBe(Math.round((Date.parse(terminalAt) - Date.parse(createdAt)) / 1000));
  },
  'recording-only-when-terminal': async (world: World) => {
    for (const { status, recordingUrl } of await readings(world, 'pauses', 'fails'))
      expect(recordingUrl !== undefined).toBe(isTerminal(status) && world.choices['optional-fields'] === 'all');
  },
  'live-view-is-shown': async (world: World) => {
    for (const { status, liveViewUrl, browserLiveViewUrl } of await readings(world, 'slow'))
      if (status === 'running') expect(liveViewUrl).toBe(browserLiveViewUrl);
  },
  'recording-is-shown': async (world: World) => {
    const seen = await readings(world, 'slow', 'fails');
    const hadLiveView = seen.some(({ liveViewUrl }) => liveViewUrl !== undefined);
    for (const { status, recordingUrl } of seen)
      if (isTerminal(status)) expect(recordingUrl !== undefined).toBe(hadLiveView);
  },
  'live-view-never-when-terminal': async (world: World) => {
    for (const { status, liveViewUrl } of await readings(world, 'pauses', 'cancelled')) {
      if (isTerminal(status)) expect(liveViewUrl).toBeUndefined();
      if (status === 'running' && world.choices['optional-fields'] === 'all') expect(liveViewUrl).toBeDefined();
    }
    expect((await world.read(world.target.execution)).liveViewUrl).toBeUndefined();
  },
  'live-view-not-before-start': async (world: World) => {
    const { capacity } = world.target;
    const body = { profileGroupId: capacity.profileGroup, onCapacityLimit: 'queue' };
    await world.start(capacity.workflow, body);
    const id = await world.start(capacity.workflow, body);
    for (const { liveViewUrl, agentProfileId } of await world.history(id, 900)) {
      expect(liveViewUrl).toBeUndefined();
      expect(agentProfileId).toBeUndefined();
    }
  },
  'deprecated-urls-agree': async (world: World) => {
    for (const execution of await readings(world, 'pauses', 'slow')) {
      expect(execution.browserLiveViewUrl).toBe(execution.liveViewUrl);
      expect(execution.browserRecordingUrl).toBe(execution.recordingUrl);
    }
  },
  'script-failures-omitted-when-none': async (world: World) => {
    for (const { scriptFailures } of await readings(world, 'completes', 'cancelled'))
      expect(scriptFailures).toBeUndefined();
    expect((await world.run(world.target.workflows.fails)).scriptFailures).toHaveLength(1);
  },
  'inputs-are-recorded': async ({ run, target }: World) => {
    const inputs = JSON.parse('{"__proto__": {"a": 1}, "constructor": null, "n": [1, 2.5, "\\ud800", {"": false}]}');
    expect(JSON.stringify((await run(target.workflows.completes, { inputs })).inputs)).toBe(JSON.stringify(inputs));
    expect((await run(target.workflows.completes)).inputs).toBeUndefined();
  },
  'inputs-are-shown': async ({ run, target }: World) => {
    const inputs = { a: 1, b: { c: [] }, d: '' };
    expect(Object.keys((await run(target.workflows.completes, { inputs })).inputs ?? {})).toEqual(Object.keys(inputs));
  },
  'metadata-is-recorded': async ({ run, target }: World) => {
    const metadata = { customer: 'acme', 'a b': '', toString: 'x' };
    expect((await run(target.workflows.completes, { metadata })).metadata).toEqual(metadata);
  },
  'metadata-is-shown': async ({ run, target }: World) => {
    const metadata = { customer: 'acme', team: '' };
    expect(Object.keys((await run(target.workflows.completes, { metadata })).metadata ?? {})).toEqual(
      Object.keys(metadata),
    );
  },
  'options-are-recorded': async ({ run, target }: World) => {
    const executionOptions = { softTimeoutMins: 20 };
    expect((await run(target.workflows.completes, { executionOptions })).executionOptions).toEqual(executionOptions);
  },
  'profile-is-recorded': async (world: World) => {
    const { profile, workflows } = world.target;
    const id = await world.start(workflows.completes, { profileId: profile });
    for (const execution of await world.history(id, 400)) expect(execution.agentProfileId).toBe(profile);
  },
  'used-profile-is-shown': async ({ run, target }: World) => {
    const { agentProfileId } = await run(target.workflows.slow, { profileId: target.otherProfile });
    expect(agentProfileId).toBe(target.otherProfile);
  },
  'group-profile-is-recorded': async ({ start, read, target }: World) => {
    const body = { profileGroupId: target.profileGroup };
    const one = await read(await start(target.workflows.completes, body));
    const two = await read(await start(target.workflows.completes, body));
    expect(one.agentProfileId).toBeDefined();
    expect(two.agentProfileId).toBeDefined();
    expect(two.agentProfileId).not.toBe(one.agentProfileId);
  },
  'trigger-is-api': async (world: World) => {
    const { triggerContext } = await world.run(world.target.workflows.completes);
    if (world.choices['optional-fields'] === 'all') expect(triggerContext?.source).toBe('api');
    const { triggerContext: seeded } = await world.read(world.target.execution);
    expect(seeded?.source).not.toBe('api');
  },
  'trigger-names-its-key': async (world: World) => {
    const { triggerContext } = await world.run(world.target.workflows.completes);
    if (triggerContext?.source === 'api')
      expect(triggerContext).toMatchObject({ apiKey: { name: 'Full', id: expect.any(String) } });
    expect(triggerContext === undefined).toBe(world.choices['optional-fields'] !== 'all');
  },
  'fresh-execution-not-rerun': async ({ run, target }: World) => {
    const execution = await run(target.workflows.completes);
    expect([execution.hasBeenRerun, execution.parentExecutionId]).toEqual([false, undefined]);
  },
  'identity-is-constant': async (world: World) => {
    const identities = (await readings(world, 'pauses')).map(({ id, agentId, organizationId, workflowId, createdAt }) =>
      JSON.stringify({ id, agentId, organizationId, workflowId, createdAt }),
    );
    expect(new Set(identities).size).toBe(1);
  },
  'ends-are-recorded-alike': async (world: World) => {
    const { completes, fails } = world.target.workflows;
    const fieldsOf = (execution: Execution) => Object.keys(execution).filter((field) => field !== 'scriptFailures');
    const [one, failed] = [await world.run(completes), await world.run(fails)];
    expect(fieldsOf(failed)).toEqual(fieldsOf(one));
    const { body } = await world.callInTime('executeSync', completes, { body: {} });
    expect(fieldsOf(await world.read(body.executionId))).toEqual(fieldsOf(one));
  },
  'urls-are-separate': async (world: World) => {
    const { completes } = world.target.workflows;
    const ids = await Promise.all([1, 2].map(() => world.start(completes)));
    await world.clock.advance(400);
    const urls = await Promise.all(ids.map(async (id) => (await world.read(id)).recordingUrl));
    if (world.choices['optional-fields'] === 'all') expect(new Set(urls).size).toBe(2);
  },
  'times-are-in-order': async (world: World) => {
    const { fails, writesFiles } = world.target.workflows;
    const { createdAt, executionResult, scriptFailures = [] } = await world.run(fails);
    const recorded = [...scriptFailures.map(({ occurredAt }) => occurredAt), executionResult?.createdAt ?? createdAt];
    for (const time of recorded) expect(Date.parse(time)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    const { id } = await world.run(writesFiles);
    const first = await world.files(id);
    await world.clock.advance(1000);
    expect(await world.files(id)).toEqual(first);
  },
  'executions-are-separate': async (world: World) => {
    const { completes } = world.target.workflows;
    const ids = await Promise.all([1, 2, 3].map((number) => world.start(completes, { inputs: { number } })));
    await world.clock.advance(400);
    const executions = await Promise.all(ids.map((id) => world.read(id)));
    expect(executions.map(({ inputs }) => inputs)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
    if (world.choices['optional-fields'] === 'all')
      expect(new Set(executions.map(({ executionResult }) => executionResult?.id)).size).toBe(3);
  },
};
