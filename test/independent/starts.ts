import { type Complain, typedStart } from './checks.js';
import type { Hooks } from './hooks.js';
import {
  type Answer,
  type Call,
  type Clock,
  type Execution,
  type Fields,
  fieldsOf,
  isTerminal,
  listOf,
  type State,
  type Status,
} from './state.js';
import type { Way } from './ways.js';

export const hardTimeoutMins = 60;

export interface Surroundings {
  readonly way: Way;
  readonly hooks: Hooks;
  readonly state: State;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly open: () => boolean;
}

/** Starts executions, and takes them through their states. */
export class Starts {
  readonly #of: Surroundings;
  readonly #watchers = new Set<() => void>();
  #order = 0;

  constructor(of: Surroundings) {
    this.#of = of;
  }

  /** What a start asks for, held to every rule; a complaint that comes back is one that is not minded. */
  #understood(call: Call, complain: Complain): Fields {
    const { way, state } = this.#of;
    const body = typedStart(call.body, call.operation === 'executeSync', way.strictFields, complain);
    const workflow = state.workflows.get(call.id.toLowerCase());
    if (!workflow) complain('unknown-workflow', 'There is no such workflow.', 'workflowId');
    if (body.head === true && body.version !== undefined) {
      complain('exclusive', 'head and version exclude each other.', 'head');
    }
    const profileId = body.profileId ?? body.agentProfileId;
    const groupId = body.profileGroupId ?? body.agentProfilePoolId;
    if (profileId !== undefined && groupId !== undefined) {
      const old = body.agentProfileId !== undefined || body.agentProfilePoolId !== undefined;
      complain('exclusive', 'profileId and profileGroupId exclude each other.', old ? 'agentProfileId' : 'profileId');
    }
    const version = body.version;
    if (typeof version === 'number' && (version < 1 || version > 3)) {
      complain('unknown-named', 'There is no such version.', 'version');
    }
    if (typeof profileId === 'string' && !state.profiles.has(profileId.toLowerCase())) {
      complain('unknown-named', 'There is no such profile.', 'profileId');
    }
    if (typeof groupId === 'string' && !state.groups.has(groupId.toLowerCase())) {
      complain('unknown-named', 'There is no such profile group.', 'profileGroupId');
    }
    for (const file of listOf(body.tempFiles)) {
      if (!state.tempFiles.has(String(file.id).toLowerCase())) {
        complain('unknown-named', 'There is no such temp file.', 'tempFiles');
      }
    }
    if (way.tempQueue === 'always') this.#tempFilesDoNotQueue(body, complain);
    const options = fieldsOf(body.executionOptions);
    const soft = options.softTimeoutMins;
    if (typeof soft === 'number' && soft < 1) {
      complain('out-of-bounds', 'softTimeoutMins is at least 1.', 'softTimeoutMins');
    }
    if (typeof soft === 'number' && soft >= hardTimeoutMins) {
      complain('out-of-bounds', 'softTimeoutMins is below the hard timeout.', 'softTimeoutMins-hard');
    }
    if (workflow?.variantMode && options.variantKey === undefined) {
      complain('variant', 'This workflow requires variantKey.', 'required');
    }
    if (workflow && !workflow.variantMode && options.variantKey !== undefined) {
      complain('variant', 'This workflow has no variant mode.', 'needless');
    }
    const seconds = body.timeoutSeconds;
    if (typeof seconds === 'number' && (seconds < 1 || seconds > 25)) {
      complain('out-of-bounds', 'timeoutSeconds is 1 to 25.', 'timeoutSeconds');
    }
    return body;
  }

  #tempFilesDoNotQueue(body: Fields, complain: Complain): void {
    if (body.onCapacityLimit === 'queue' && listOf(body.tempFiles).length > 0) {
      complain('temp-queue', 'Temp files cannot be queued.', 'tempFiles');
    }
  }

  begin(call: Call, complain: Complain): Execution {
    const { state, hooks, way, clock, newId } = this.#of;
    const body = this.#understood(call, complain);
    const workflow = state.workflows.get(call.id.toLowerCase()) ?? [...state.workflows.values()][0];
    if (!workflow) throw new Error('A service has workflows.');
    const lower = (name: string, old: string) => {
      const value = body[name] ?? body[old];
      return typeof value === 'string' ? value.toLowerCase() : undefined;
    };
    const profileId = lower('profileId', 'agentProfileId');
    const groupId = lower('profileGroupId', 'agentProfilePoolId');
    const inputs = body.inputs ?? body.dynamicData;
    const { softTimeoutMins, variantKey } = fieldsOf(body.executionOptions);
    const storageKey = typeof variantKey === 'string' ? way.storageKey(variantKey) : undefined;
    const options: Fields = {
      ...(softTimeoutMins !== undefined && { softTimeoutMins }),
      ...(storageKey !== undefined && { sharedStorageKey: storageKey }),
    };
    this.#order += 1;
    const execution: Execution = {
      id: newId(),
      order: this.#order,
      workflow,
      createdAt: clock.now(),
      status: 'starting',
      sync: call.operation === 'executeSync',
      waited: false,
      ...(groupId !== undefined && { groupId }),
      ...(profileId !== undefined && state.profiles.has(profileId) && { profileId }),
      ...(inputs !== undefined && { inputs: fieldsOf(inputs) }),
      ...(body.metadata !== undefined && { metadata: fieldsOf(body.metadata) }),
      ...(Object.keys(options).length > 0 && { options }),
      more: {},
      files: [],
      reads: 0,
      asked: body,
    };
    if (groupId !== undefined && profileId === undefined) {
      const free = this.#freeProfile(groupId);
      const queues = body.onCapacityLimit === 'queue';
      if (hooks.holds(free !== undefined, call)) {
        const any = free ?? state.groups.get(groupId)?.profileIds[0];
        if (any !== undefined) execution.profileId = any;
      } else {
        if (!queues) complain('capacity', 'Every profile of the group is in use.', 'onCapacityLimit');
        if (queues) this.#tempFilesDoNotQueue(body, complain);
        execution.status = 'queued';
        execution.waited = true;
      }
    }
    hooks.starts(execution, call);
    state.executions.set(execution.id.toLowerCase(), execution);
    if (execution.status === 'queued') state.queue.push(execution);
    else this.#run(execution);
    return execution;
  }

  #freeProfile(groupId: string): string | undefined {
    const { state } = this.#of;
    const used = new Set(
      [...state.executions.values()].filter((one) => !isTerminal(one.status)).map((one) => one.profileId),
    );
    return state.groups.get(groupId)?.profileIds.find((id) => !used.has(id));
  }

  #run(execution: Execution): void {
    const { way, clock } = this.#of;
    let at = 0;
    for (const [after, to] of execution.workflow.steps) {
      at += after * way.tempo;
      clock.setTimeout(() => this.#step(execution, to), at);
    }
  }

  #step(execution: Execution, to: Status): void {
    const { hooks, clock, open } = this.#of;
    if (!open()) return;
    const status = hooks.steps(to, execution);
    if (status === undefined) return;
    execution.status = status;
    if (status === 'running') {
      execution.runningAt = clock.now();
      if (execution.workflow.writesFiles) this.#write(execution);
    }
    if (isTerminal(status)) this.#end(execution);
    for (const watcher of [...this.#watchers]) watcher();
  }

  #end(execution: Execution): void {
    const { way, clock, newId, state, hooks } = this.#of;
    execution.terminalAt = clock.now();
    const { status } = execution;
    if (status === 'completed' || way.resultOnFailure) {
      execution.result = {
        id: newId(),
        executionId: execution.id,
        outcome: status === 'completed' ? 'success' : 'failure',
        reasoning: `The run ${status}.`,
        result: status === 'completed' ? { rows: [1, 2, 3], note: 'fine' } : null,
        createdAt: way.time(clock.now()),
      };
    }
    for (;;) {
      const ready = state.queue.filter((one) => this.#freeProfile(one.groupId ?? '') !== undefined);
      const next = hooks.next(ready);
      if (!next) return;
      state.queue.splice(state.queue.indexOf(next), 1);
      const profileId = this.#freeProfile(next.groupId ?? '');
      if (profileId !== undefined) next.profileId = profileId;
      next.status = way.fromQueue;
      if (way.fromQueue === 'running') next.runningAt = clock.now();
      this.#run(next);
    }
  }

  #write(execution: Execution): void {
    const { way, clock, newId } = this.#of;
    const now = clock.now();
    const file = (directory: string, fileName: string, fileSize: number): Fields => ({
      id: newId(),
      agentId: way.id(execution.workflow.agentId),
      executionId: execution.id,
      workflowId: way.id(execution.workflow.id),
      createdAt: way.time(now),
      updatedAt: way.time(now),
      createdBy: 'agent',
      directory,
      downloadUrl: `https://files.example.com/${execution.id}/${fileName}`,
      fileName,
      filePath: `${directory}/${fileName}`,
      fileSize,
      ...(directory !== 'debug' && { mimeType: 'text/csv' }),
    });
    execution.files.push(
      file('downloads', 'prices.csv', 120),
      file('workspace', 'notes.csv', 7),
      file('debug', 'log', 0),
    );
  }

  /** Waits until the execution ends, or as long as it may. */
  async settle(execution: Execution, ms: number): Promise<void> {
    const { way, clock } = this.#of;
    const over = () =>
      isTerminal(execution.status) ||
      (way.earlyWhenPaused && ['paused', 'awaiting_confirmation'].includes(execution.status));
    if (over()) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#watchers.delete(watch);
        clock.clearTimeout(timer);
        resolve();
      };
      const watch = () => over() && done();
      const timer = clock.setTimeout(done, ms);
      this.#watchers.add(watch);
    });
  }

  async answer(call: Call, complain: Complain): Promise<Answer> {
    const { hooks } = this.#of;
    const execution = this.begin(call, complain);
    const { id: executionId } = execution;
    if (call.operation === 'execute') {
      return { status: 202, body: { executionId, status: execution.status }, headers: {} };
    }
    const seconds = call.body.timeoutSeconds;
    await this.settle(execution, hooks.waits((typeof seconds === 'number' ? seconds : 25) * 1000, call));
    const { status, result } = execution;
    const ended = isTerminal(status);
    return {
      status: ended ? 200 : 202,
      body: { executionId, status, ...(result && { executionResult: { ...result } }) },
      headers: {},
    };
  }
}
