/** Makes the executions of a rehearsal take time, on a virtual clock, and records when each held a place. */

import { isTerminal } from '../../generated/lifecycle.js';
import { operations } from '../../generated/operations.js';
import { type Address, addressOf, pathTo } from '../engine/http/address.js';
import { parseBody } from '../engine/http/body.js';
import type { Transport, WireRequest, WireResponse } from '../engine/http/transport.js';
import { type Fields, isFields, isWaitingStart, readsOne } from '../engine/outcome/read.js';
import { asText } from '../engine/rule/values.js';
import type { VirtualClock } from '../engine/send/virtual-clock.js';
import type { Facts } from '../engine/vocabulary.js';
import { isStop } from './executions/view.js';
import { declaredMs } from './expected.js';
import { success } from './rehearsal.js';
import { longestWaitSeconds } from './sync/view.js';

/** How long a run takes if the target file does not say: as long as the longest of which it does. */
export const assumedMs = ({ takes = {} }: Facts): number =>
  Object.keys(takes).length > 0 ? Math.max(...Object.values(takes)) : 120_000;

/** How long each answer takes. */
const latencyMs = 100;

/** An execution of a rehearsal; times in milliseconds of its clock. */
interface Held {
  readonly workflow: string;
  /** When it got its place; undefined while it is queued. */
  from?: number;
  /** When it gave its place back; undefined while it holds it. */
  until?: number;
  /** The last known status. */
  status: string;
}

export class TimedTransport {
  readonly transport: Transport;
  readonly #acted: Transport;
  readonly #clock: VirtualClock;
  readonly #facts: Facts;
  readonly #runs = new Map<string, Held>();

  constructor(acted: Transport, clock: VirtualClock, facts: Facts) {
    this.#acted = acted;
    this.#clock = clock;
    this.#facts = facts;
    this.transport = (request) => this.#answer(request);
  }

  /** When each execution held its place, and until when, if it gave it back. */
  get places(): readonly { readonly workflow: string; readonly from: number; readonly until?: number }[] {
    return [...this.#runs.values()].flatMap(({ workflow, from, until }) =>
      from === undefined ? [] : [{ workflow, from, ...(until !== undefined && { until }) }],
    );
  }

  async #answer(request: WireRequest): Promise<WireResponse> {
    await this.#clock.sleep(latencyMs);
    const address = addressOf(request.method, request.url);
    const timed = address && readsOne(address, 'execution') ? this.#runs.get(address.resource) : undefined;
    if (address && timed?.from !== undefined) return read(address, timed);
    const response = await this.#acted(request);
    const answer = fieldsOf(response);
    const id = asText(answer.executionId ?? '');
    if (timed && address) {
      if (answer.status === 'queued') return response;
      this.#begins(address.resource, timed);
      return read(address, timed);
    }
    if (address && id !== '' && !this.#runs.has(id)) {
      const run: Held = { workflow: address.resource, status: asText(answer.status ?? '') };
      this.#runs.set(id, run);
      if (run.status !== 'queued') this.#begins(id, run);
      if (isWaitingStart(address)) return this.#sync(address, request, id, run);
    }
    return response;
  }

  #begins(id: string, run: Held): void {
    run.from = this.#clock.now();
    run.status = 'running';
    this.#clock.setTimeout(
      () => void this.#comesToIts(id, run),
      declaredMs(run.workflow, this.#facts) ?? assumedMs(this.#facts),
    );
  }

  /** Brings a run to its end, or to its stop, where it keeps its place. */
  async #comesToIts(id: string, run: Held): Promise<void> {
    const url = `${this.#facts.baseUrl}${pathTo(operations.getExecution, { id })}`;
    const mark = { journey: '', step: '', credential: 'primary' } as const;
    let status = '';
    do {
      if (status === 'queued') await this.#clock.sleep(latencyMs);
      status = asText(
        fieldsOf(await this.#acted({ method: 'GET', url, headers: {}, timeoutMs: 1, mark })).status ?? '',
      );
    } while (status !== '' && !isTerminal(status) && !isStop(status));
    run.status = status;
    if (!isStop(status)) run.until = this.#clock.now();
  }

  async #sync({ operation }: Address, request: WireRequest, executionId: string, run: Held): Promise<WireResponse> {
    const { value } = { value: undefined, ...parseBody(request.body ?? '') };
    const { timeoutSeconds = longestWaitSeconds } = isFields(value) ? value : {};
    const giveUp = this.#clock.now() + Number(timeoutSeconds) * 1000;
    const waits = () => run.status === 'running' && this.#clock.now() < giveUp;
    while (waits()) await this.#clock.sleep(Math.min(1000, giveUp - this.#clock.now()));
    return success(operations[operation], { executionId, status: run.status });
  }
}

const fieldsOf = ({ bytes }: WireResponse): Fields => {
  const body = parseBody(new TextDecoder().decode(bytes));
  return body.kind === 'json' && isFields(body.value) ? body.value : {};
};

const read = ({ operation, resource: id }: Address, { status }: Held): WireResponse =>
  success(operations[operation], { id, status });
