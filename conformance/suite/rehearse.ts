/** Rehearses a run, and predicts what it takes: its duration, the places it holds, and its cost. */

import { isTerminal } from '../../generated/lifecycle.js';
import { type Operation, operations } from '../../generated/operations.js';
import { samples } from '../../generated/samples.js';
import type { ExecutionStatus } from '../../generated/types.js';
import { requests, schemas } from '../../generated/validators.js';
import type { Rule } from '../engine/contract.js';
import { addressOf } from '../engine/http/address.js';
import { parseBody } from '../engine/http/body.js';
import type { Transport, WireRequest, WireResponse } from '../engine/http/transport.js';
import { type Fields, isFields, isStartRequest, isWaitingStart, underPresentNames } from '../engine/outcome/read.js';
import { waitMsOf } from '../engine/outcome/when.js';
import { runJourneys } from '../engine/scenario/schedule.js';
import { type Clock, VirtualClock } from '../engine/send/clock.js';
import type { KnownCopies, KnownCopy } from '../engine/send/known-copies.js';
import { quiet } from '../engine/send/recorder.js';
import type { Address } from '../engine/vocabulary/recording.js';
import type { Foreseen } from '../engine/vocabulary/report.js';
import type { Facts, Target } from '../engine/vocabulary.js';
import { Driver, driverOf } from './driver.js';
import { isToQueue } from './executions/view.js';
import { declaredMs, finalStatusOf } from './expected.js';
import { isNearKey } from './keys/headers.js';
import { preflight } from './preflight.js';
import { settableAgain, shownSettings } from './profiles/settings.js';
import { Session } from './session.js';
import { rolesOf } from './target/roles.js';
import { wantedFor } from './wanted.js';

// Acts a correct target, on a virtual clock, so that a run can be rehearsed: nothing is sent, and no time passes.

/** How long a run takes if the target file does not say: as long as the longest of which it does. */
export const assumedMs = ({ takes = {} }: Facts): number =>
  Object.keys(takes).length > 0 ? Math.max(...Object.values(takes)) : 120_000;

/** How long each answer takes. */
const latencyMs = 100;

/** An execution; times in milliseconds of the clock. */
interface Run {
  readonly workflow: string;
  /** Whether it asked for a profile of the capacity group. */
  readonly inGroup: boolean;
  /** When it got its place; undefined while it is queued. */
  from?: number;
  /** When it gave its place back; undefined while it holds it. */
  until?: number;
  status: ExecutionStatus;
}

/** The time that the target shows. */
const rehearsedAt = '2026-01-01T00:00:00.000Z';

/** What a profile has before it is changed. */
const settings: Fields = {
  createdAt: rehearsedAt,
  updatedAt: rehearsedAt,
  ...Object.fromEntries(settableAgain.map((field) => [field, false])),
  description: '',
  extensionIds: [],
  cookies: [],
  credentials: [],
};

export class ActedTarget {
  readonly #facts: Facts;
  readonly #clock: VirtualClock;
  /** In the order of their starts. */
  readonly #runs = new Map<string, Run>();
  readonly #profiles = new Map<string, Fields>();
  readonly #deleted = new Set<string>();
  #ids = 0;

  constructor(facts: Facts, clock: VirtualClock) {
    this.#facts = facts;
    this.#clock = clock;
    for (const id of [facts.profile, facts.scratchProfile])
      if (id !== undefined) this.#profiles.set(id, { ...settings, id, name: id });
  }

  /** Adds copies of earlier runs. */
  hasCopies(copies: readonly KnownCopy[]): void {
    for (const { id } of copies) this.#profiles.set(id, { ...settings, id, name: `conformance-${id}` });
  }

  readonly transport: Transport = async (request) => {
    await this.#clock.sleep(latencyMs);
    return this.#answer(request);
  };

  /** When each execution held its place, and until when, if it gave it back. */
  get places(): readonly { readonly workflow: string; readonly from: number; readonly until?: number }[] {
    return [...this.#runs.values()].flatMap(({ workflow, from, until }) =>
      from === undefined ? [] : [{ workflow, from, ...(until !== undefined && { until }) }],
    );
  }

  async #answer(request: WireRequest): Promise<WireResponse> {
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
    return this.#perform(address, body);
  }

  async #perform(address: Address, body: Fields): Promise<WireResponse> {
    const { operation, resource: id } = address;
    switch (operation) {
      case 'execute':
      case 'executeSync':
        return this.#start(address, body);
      case 'getExecution':
        return this.#read(id);
      case 'listExecutionFiles':
        return this.#runs.has(id) || id === this.#facts.execution
          ? success(operations[operation], { directories: { workspace: [{}] } })
          : refusal(404);
      case 'updateProfile':
        return this.#update(id, body);
      case 'duplicateProfile':
        return this.#duplicate(id, body);
      case 'deletePool':
        if (id !== this.#facts.pool || this.#deleted.has(id)) return refusal(404);
        this.#deleted.add(id);
        return success(operations[operation]);
      default:
        return this.#other(address);
    }
  }

  async #other(address: Address): Promise<WireResponse> {
    const { operation, resource } = address;
    const { subject, key, successes }: Operation = operations[operation];
    if (subject === 'execution' && this.#read(resource).status === 404) return refusal(404);
    if (subject === 'profile' && !this.#profiles.has(resource)) return refusal(404);
    const [{ schema } = { schema: null }] = Object.values(successes);
    if (!isStartRequest({ operation }) || schema === null || key === null) return success(operations[operation]);
    const [id, run] = this.#added(this.#facts.workflows.completes ?? '', {});
    this.#begins(run);
    return success(operations[operation], { ...(samples[schema].minimal as Fields), [key]: id });
  }

  #exists(workflow: string, { executionOptions }: Fields): boolean {
    const { workflows, capacity, stateful } = this.#facts;
    const { variantKey } = isFields(executionOptions) ? executionOptions : {};
    if (workflow === workflows.variantMode && variantKey === undefined) return false;
    return !stateful || Object.values(workflows).includes(workflow) || workflow === capacity?.workflow;
  }

  /** A start that waits is answered when its run has ended or stopped, or when it has waited long enough. */
  async #start({ operation, resource: workflow }: Address, given: Fields): Promise<WireResponse> {
    const body = underPresentNames({ operation }, given);
    if (!this.#exists(workflow, body)) return refusal(404);
    const isWaiting = isWaitingStart({ operation });
    const asksToQueue = isToQueue(body);
    if (!isWaiting && !asksToQueue && inGroup(body, this.#facts.capacity) && this.#isTaken()) return refusal(409);
    const [executionId, run] = this.#added(workflow, body);
    if (!(run.inGroup && (isWaiting ? this.#isTaken(run) : asksToQueue))) this.#begins(run);
    const giveUp = this.#clock.now() + waitMsOf({ operation, body });
    while (run.status === 'running' && this.#clock.now() < giveUp)
      await this.#clock.sleep(Math.min(1000, giveUp - this.#clock.now()));
    const status: ExecutionStatus = isWaiting || run.from === undefined ? run.status : 'starting';
    return success(operations[operation], { executionId, status });
  }

  #added(workflow: string, body: Fields): [id: string, run: Run] {
    const id = this.#id();
    const run: Run = { workflow, inGroup: inGroup(body, this.#facts.capacity), status: 'queued' };
    this.#runs.set(id, run);
    return [id, run];
  }

  /** Gives it its place. It ends after its time, or stops, and then keeps its place. */
  #begins(run: Run): void {
    const [role = 'completes'] = rolesOf(run.workflow, this.#facts);
    run.from = this.#clock.now();
    run.status = 'running';
    this.#clock.setTimeout(() => {
      run.status = finalStatusOf[role];
      if (isTerminal(run.status)) run.until = this.#clock.now();
    }, declaredMs(run.workflow, this.#facts) ?? assumedMs(this.#facts));
  }

  /** Whether all profiles of the group are taken by executions that asked for one before this. */
  #isTaken(run?: Run): boolean {
    const all = [...this.#runs.values()].filter((one) => one.inGroup);
    const before = run ? all.slice(0, all.indexOf(run)) : all;
    const going = before.filter(({ until }) => until === undefined);
    return going.length >= (this.#facts.capacity?.size ?? Number.POSITIVE_INFINITY);
  }

  /** What is queued begins when it is read and there is room. */
  #read(id: string): WireResponse {
    const run = this.#runs.get(id);
    if (!run && id !== this.#facts.execution && this.#facts.stateful) return refusal(404);
    if (run && run.from === undefined && !this.#isTaken(run)) this.#begins(run);
    const status: ExecutionStatus = run?.status ?? 'completed';
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

  #duplicate(id: string, { organizationId }: Fields): WireResponse {
    const source = this.#profiles.get(id);
    if (!source) return refusal(404);
    const createdAt = new Date(this.#clock.now()).toISOString();
    const copy = { ...source, id: this.#id(), createdAt, ...(organizationId !== undefined && { organizationId }) };
    this.#profiles.set(copy.id, copy);
    return success(operations.duplicateProfile, copy);
  }

  #id(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`;
  }
}

const inGroup = (body: Fields, capacity: Facts['capacity']): boolean =>
  capacity !== undefined && body.profileGroupId === capacity.profileGroup;

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

/** Patience in multiples of the longest run: enough to see every end. */
const patience = 4;
const leastPatienceSeconds = 600;

export type Rehearsed = Awaited<ReturnType<typeof rehearse>>;

/** Runs the journeys against an acted target, on a virtual clock: sends nothing, and takes no time. */
export async function rehearse(
  target: Target,
  { selected, ...how }: { selected?: (rule: Rule) => boolean; knownCopies?: KnownCopies } = {},
) {
  const { facts } = target;
  const clock = new VirtualClock(0);
  const longestMs = Math.max(assumedMs(facts), ...Object.values(facts.takes ?? {}));
  const patienceSeconds = Math.max(leastPatienceSeconds, (patience * longestMs) / 1000);
  const pace = { ...facts.pace, requestsPerSecond: 1e9, patienceSeconds };
  const acted = new ActedTarget(facts, clock);
  const session = new Session(
    { ...target, facts: { ...facts, pace } },
    { transport: acted.transport, clock: lookingAway(clock, longestMs), seed: 1, ...how },
  );
  await session.copies.load();
  acted.hasCopies(session.copies.earlier);
  const { journeys: chosen, starts } = wantedFor(facts, selected);
  session.chosen = starts.steps;
  await clock.run(preflight(new Driver(session, 'preflight', quiet)));
  const { drivers, halts } = await clock.run(runJourneys(chosen, driverOf(session, quiet), session.clock, quiet));
  return { session, clock, acted, longestMs, lastsMs: clock.now(), chosen, drivers, starts, halts };
}

/** Polls less often if executions are long: as many polls as in a run of half a minute predict the same, sooner. */
const lookingAway = ({ now, sleep }: VirtualClock, longest: number): Clock => ({
  now,
  sleep: (ms, signal) => sleep(ms < 1000 ? ms : ms * Math.max(1, longest / 30_000), signal),
});

/** What the rehearsal of a run took. Lets what still runs come to its end, or to its stop. */
export async function foresee(
  target: Target,
  { session, clock, acted, longestMs, lastsMs }: Rehearsed,
): Promise<Foreseen> {
  const { facts } = target;
  const sentAtMs: Record<string, number> = {};
  for (const { mark, at } of session.exchanges)
    if (mark && at <= lastsMs) sentAtMs[`${mark.scenario}/${mark.step}`] ??= Math.ceil(at);
  await clock.run(clock.sleep(longestMs));
  const { places } = acted;
  const undeclared = new Set(
    places.flatMap(({ workflow }) => (declaredMs(workflow, facts) === undefined ? workflow : [])),
  );
  const costs = places.map(({ workflow }) => costOf(workflow, target));
  const declared = costs.flatMap((cost) => cost ?? []);
  return {
    lastsMs: Math.ceil(lastsMs),
    sentAtMs,
    ...(undeclared.size > 0 && {
      assumed: { ms: assumedMs(facts), of: [...undeclared].map((workflow) => nameOf(workflow, facts)) },
    }),
    places: Math.max(
      0,
      ...places.map(({ from }) => places.filter((one) => one.from <= from && (one.until ?? lastsMs) > from).length),
    ),
    heldMs: Math.ceil(places.reduce((sum, { from, until = lastsMs }) => sum + until - from, 0)),
    held: places.filter(({ until }) => until === undefined).length,
    ...(facts.cost && {
      cost: { known: declared.reduce((sum, cost) => sum + cost, 0), others: costs.length - declared.length },
    }),
  };
}

/** Where the target file names a workflow. */
function nameOf(workflow: string, facts: Facts): string {
  const [role] = rolesOf(workflow, facts);
  return role === undefined ? 'capacity.workflow' : `workflows.${role}`;
}

function costOf(workflow: string, { facts: { workflows, cost = {} } }: Target): number | undefined {
  return Object.entries(cost).find(([role]) => workflows[role as keyof typeof workflows] === workflow)?.[1];
}
