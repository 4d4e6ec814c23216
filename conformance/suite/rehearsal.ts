/** Acts a correct target, so that a run can be rehearsed: nothing is sent. */

import { isTerminal } from '../../generated/lifecycle.js';
import { type Operation, type OperationId, operations } from '../../generated/operations.js';
import { samples } from '../../generated/samples.js';
import { requests, schemas } from '../../generated/validators.js';
import { type Address, addressOf } from '../engine/http/address.js';
import { parseBody } from '../engine/http/body.js';
import type { Transport, WireRequest, WireResponse } from '../engine/http/transport.js';
import { type Fields, isFields, isStartRequest, nameIn } from '../engine/outcome/read.js';
import type { Facts } from '../engine/vocabulary.js';
import { note } from './copies/earlier.js';
import { isNearKey } from './keys/near-keys.js';
import { restorable } from './profiles/restorable.js';
import { shownSettings } from './profiles/settings.js';
import { type WorkflowRole, workflowRoles } from './target/roles.js';

/** The statuses that readings of a run show, one after the other. */
const readings: { readonly [role in WorkflowRole]: readonly string[] } = {
  completes: ['running', 'completed'],
  fails: ['running', 'failed'],
  cancelled: ['running', 'cancelled'],
  pauses: ['paused', 'completed'],
  pausesByAgent: ['paused_by_agent'],
  awaitsConfirmation: ['awaiting_confirmation'],
  slow: ['running', 'completed'],
  variantMode: ['running', 'completed'],
  writesFiles: ['running', 'completed'],
};

/** The time that the target shows. */
const rehearsedAt = '2026-01-01T00:00:00.000Z';

/** What a profile has before it is changed. */
const settings: Fields = {
  createdAt: rehearsedAt,
  updatedAt: rehearsedAt,
  ...Object.fromEntries(restorable.map((field) => [field, false])),
  description: '',
  extensionIds: [],
  cookies: [],
  credentials: [],
};

export function rehearsal(facts: Facts, copies: readonly string[] = []): Transport {
  const actor = new Actor(facts, copies);
  return (request) => Promise.resolve(actor.answer(request));
}

class Actor {
  readonly #facts: Facts;
  readonly #executions = new Map<string, string[]>();
  /** Executions that asked for a profile of the capacity group, in that order. */
  readonly #inGroup: string[] = [];
  /** Executions whose end was shown. */
  readonly #ended = new Set<string>();
  readonly #profiles = new Map<string, Fields>();
  /** The answers to requests that are one by a header. */
  readonly #named = new Map<string, WireResponse>();
  readonly #deleted = new Set<string>();
  #ids = 0;

  constructor(facts: Facts, copies: readonly string[]) {
    this.#facts = facts;
    for (const id of [facts.profile, facts.otherProfile])
      if (id !== undefined) this.#profiles.set(id, { ...settings, id, name: id });
    for (const id of copies) this.#profiles.set(id, { ...settings, id, name: id, description: note });
  }

  answer(request: WireRequest): WireResponse {
    const { credential, probe } = request.mark;
    if (credential === 'none' || credential === 'elsewhere' || credential === 'invalid' || isNearKey(credential))
      return refusal(401);
    if (credential === 'restricted') return refusal(403);
    if (probe) return refusal(400);
    const address = addressOf(request.method, request.url);
    if (!address) return refusal(404);
    const { operation } = address;
    const sent = parseBody(request.body ?? '');
    if (sent.kind === 'not-json') return refusal(400);
    const body: Fields = sent.kind === 'json' && isFields(sent.value) ? sent.value : {};
    const isValid: ((body: unknown) => boolean) | undefined = requests[operation as keyof typeof requests];
    if (isValid && !isValid(body)) return refusal(400);
    const name = nameIn(address, request.headers);
    const answer = (name && this.#named.get(name)) || this.#answer(address, body);
    if (name) this.#named.set(name, answer);
    return answer;
  }

  #answer(address: Address, body: Fields): WireResponse {
    const { operation, resource: id } = address;
    switch (operation) {
      case 'execute':
        if (!this.#runs(id, body)) return refusal(404);
        if (this.#isFull(body)) return refusal(409);
        return success(operations[operation], {
          executionId: this.#begin(id, body),
          status: body.onCapacityLimit === 'queue' && inGroup(body, this.#facts.capacity) ? 'queued' : 'starting',
        });
      case 'executeSync':
        if (!this.#runs(id, body)) return refusal(404);
        return this.#sync(operation, id, body);
      case 'getExecution':
        return this.#read(id);
      case 'listExecutionFiles':
        return this.#executions.has(id) || id === this.#facts.execution
          ? success(operations[operation], { directories: { workspace: [{}] } })
          : refusal(404);
      case 'updateProfile':
        return this.#update(id, body);
      case 'duplicateProfile':
        return this.#duplicate(id);
      case 'deletePool':
        if (id !== this.#facts.pool || this.#deleted.has(id)) return refusal(404);
        this.#deleted.add(id);
        return success(operations[operation]);
      default:
        return this.#other(address);
    }
  }

  #other({ operation, resource }: Address): WireResponse {
    const { subject, key, successes }: Operation = operations[operation];
    if (subject === 'execution' && this.#read(resource).status === 404) return refusal(404);
    if (subject === 'profile' && !this.#profiles.has(resource)) return refusal(404);
    const [{ schema } = { schema: null }] = Object.values(successes);
    if (!isStartRequest({ operation }) || schema === null || key === null) return success(operations[operation]);
    const id = this.#begin(this.#facts.workflows.completes ?? '', {});
    return success(operations[operation], { ...(samples[schema].minimal as Fields), [key]: id });
  }

  #runs(workflow: string, { executionOptions }: Fields): boolean {
    const { workflows, capacity, stateful } = this.#facts;
    const { variantKey } = isFields(executionOptions) ? executionOptions : {};
    if (workflow === workflows.variantMode && variantKey === undefined) return false;
    return !stateful || Object.values(workflows).includes(workflow) || workflow === capacity?.workflow;
  }

  #begin(workflow: string, body: Fields): string {
    const { workflows, capacity } = this.#facts;
    const role = workflowRoles.find((candidate) => workflows[candidate] === workflow);
    const id = this.#id();
    this.#executions.set(id, [...readings[role ?? 'completes']]);
    if (inGroup(body, capacity)) this.#inGroup.push(id);
    return id;
  }

  /** Whether all profiles of the group are taken by executions that asked for one before this. */
  #waits(id?: string): boolean {
    const before = id === undefined ? this.#inGroup : this.#inGroup.slice(0, this.#inGroup.indexOf(id));
    const going = before.filter((one) => !this.#ended.has(one));
    return going.length >= (this.#facts.capacity?.size ?? Number.POSITIVE_INFINITY);
  }

  #isFull(body: Fields): boolean {
    return inGroup(body, this.#facts.capacity) && body.onCapacityLimit !== 'queue' && this.#waits();
  }

  #sync(operation: OperationId, workflow: string, body: Fields): WireResponse {
    const executionId = this.#begin(workflow, body);
    const states = this.#executions.get(executionId) ?? [];
    const outlasts = workflow === this.#facts.workflows.slow && body.timeoutSeconds === 1;
    const isQueued = inGroup(body, this.#facts.capacity) && this.#waits(executionId);
    const status = (isQueued ? 'queued' : outlasts ? states[0] : states.at(-1)) ?? '';
    if (isTerminal(status)) this.#ended.add(executionId);
    return success(operations[operation], { executionId, status });
  }

  #read(id: string): WireResponse {
    const states =
      this.#executions.get(id) ?? (id === this.#facts.execution || !this.#facts.stateful ? ['completed'] : undefined);
    if (!states) return refusal(404);
    if (this.#inGroup.includes(id) && this.#waits(id))
      return success(operations.getExecution, { id, status: 'queued' });
    const status = (states.length > 1 ? states.shift() : states[0]) ?? '';
    if (isTerminal(status)) this.#ended.add(id);
    return success(operations.getExecution, { id, status });
  }

  #update(id: string, body: Fields): WireResponse {
    const profile = this.#profiles.get(id);
    if (!profile) return refusal(404);
    const changed = (list: 'cookies' | 'credentials') => {
      const deleted = body[`${list}ToDelete`] as string[] | undefined;
      const added = (body[`${list}ToAdd`] as Fields[] | undefined) ?? [];
      const kept = (profile[list] as Fields[]).filter((item) => !deleted?.includes(item.id as string));
      return [...kept, ...added.map((item) => ({ ...item, id: this.#id() }))];
    };
    const taken = Object.entries(body).filter(([field]) => shownSettings.some((setting) => setting === field));
    const now = {
      ...profile,
      ...Object.fromEntries(taken),
      cookies: changed('cookies'),
      credentials: changed('credentials'),
    };
    this.#profiles.set(id, now);
    return success(operations.updateProfile, now);
  }

  #duplicate(id: string): WireResponse {
    const source = this.#profiles.get(id);
    if (!source) return refusal(404);
    const copy = { ...source, id: this.#id() };
    this.#profiles.set(copy.id, copy);
    return success(operations.duplicateProfile, copy);
  }

  #id(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`;
  }
}

const inGroup = (body: Fields, capacity: Facts['capacity']): boolean =>
  capacity !== undefined && [body.profileGroupId, body.agentProfilePoolId].includes(capacity.profileGroup);

/** The success that the contract has for such a body, or its first one; by default with the smallest body it allows. */
export function success({ successes }: Pick<Operation, 'successes'>, body?: Fields): WireResponse {
  const all = Object.entries(successes);
  const [status, { schema }] = all.find(([, one]) => one.schema && schemas[one.schema](body)) ??
    all[0] ?? ['204', { schema: null }];
  return schema
    ? json(Number(status.replace('XX', '00')), body ?? samples[schema].minimal)
    : { status: Number(status.replace('XX', '04')), headers: {}, bytes: new Uint8Array() };
}

const json = (status: number, value: unknown): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  bytes: new TextEncoder().encode(JSON.stringify(value)),
});

const refusal = (status: number): WireResponse => json(status, { code: status, message: 'rehearsed' });
