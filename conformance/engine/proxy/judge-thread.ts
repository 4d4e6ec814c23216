/** Hands the proxy's traffic to a thread that judges it. */
import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { contract } from '../contract.js';
import { addressOf } from '../http/address.js';
import { isStartRequest } from '../outcome/read.js';
import { BloomFilter } from '../recording/histories.js';
import type { OnViolation } from '../recording/judging.js';
import type { RecordedRun } from '../recording/merge.js';
import type { LiveOptions } from './live.js';
import { lineOf, type PassedExchange } from './passed.js';

export type Violation = Parameters<OnViolation>[0];

export type ToWorker =
  | { readonly kind: 'passed'; readonly passed: PassedExchange; readonly bytes: number }
  | { readonly kind: 'leave-out'; readonly history: string; readonly baseUrl: string }
  | { readonly kind: 'finish' };

export type ToMain =
  | { readonly kind: 'taken'; readonly bytes: number }
  | { readonly kind: 'violation'; readonly violation: Violation }
  /** The record cannot be continued. */
  | { readonly kind: 'unwritable'; readonly error: { readonly code?: string; readonly message: string } }
  | { readonly kind: 'run'; readonly run: RecordedRun };

/**
 * Starts a thread. In the package its file is next to this one, in the single executable it is an asset; in the sources
 * the thread must first load TypeScript support.
 */
function startThread(name: string, source: URL, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(getAsset(`${name}.cjs`, 'utf8'), { ...options, eval: true });
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, import.meta.url), options);
  const tsx = import.meta.resolve('tsx/esm/api');
  const code = `import('${tsx}').then(({ register }) => { register(); return import('${source}'); })`;
  return new Worker(code, { ...options, eval: true });
}

export interface ThreadOptions extends LiveOptions {
  /** A file for the exchanges, one on each line. */
  readonly record?: string;
  readonly onViolation: (violation: Violation) => void;
  /** Called when the record can no longer be written. Judging goes on. */
  readonly unwritable?: (error: { readonly code?: string; readonly message: string }) => void;
  readonly behind?: () => void;
  /** How many bytes may wait to be judged. */
  readonly waitingBytes?: number;
}

const usualWaiting = 64 * 1024 * 1024;
/** Estimated bytes of an exchange without its bodies. */
const frame = 2000;

/** Judges in a separate thread. If too much waits, whole histories are left out until there is room again. */
export class JudgeThread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #leftOut = new BloomFilter();
  readonly #run: Promise<RecordedRun>;
  #left = { histories: 0, exchanges: 0 };
  #waitingBytes = 0;
  #failure: unknown;

  constructor(options: ThreadOptions) {
    const { onViolation, unwritable, behind: _, record, waitingBytes: __, ...live } = options;
    this.#options = options;
    this.#worker = startThread('proxy-worker', new URL('../../threads/proxy.ts', import.meta.url), {
      workerData: { options: live, ...(record !== undefined && { record }) },
    });
    this.#run = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: ToMain) => {
        if (message.kind === 'taken') this.#waitingBytes -= message.bytes;
        else if (message.kind === 'violation') onViolation(message.violation);
        else if (message.kind === 'unwritable') unwritable?.(message.error);
        else resolve(message.run);
      });
      this.#worker.on('error', (error) => {
        // Traffic goes on. The failure is reported at the end.
        this.#failure = error;
        reject(error);
      });
    });
    this.#run.catch(() => {});
  }

  /** How many histories and exchanges were not judged because judging fell behind. */
  get leftOut(): { readonly histories: number; readonly exchanges: number } {
    return this.#left;
  }

  take(passed: PassedExchange): void {
    if (this.#failure) return;
    const bytes = weight(passed);
    const isTooMuch = this.#waitingBytes + bytes > (this.#options.waitingBytes ?? usualWaiting);
    if ((isTooMuch || this.#left.exchanges > 0) && this.#leaves(passed, isTooMuch)) return;
    this.#waitingBytes += bytes;
    this.#post({ kind: 'passed', passed, bytes });
  }

  async finish(): Promise<RecordedRun> {
    if (!this.#failure) this.#post({ kind: 'finish' });
    return this.#run;
  }

  /** Ends the thread without a verdict. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Whether an exchange is left out, because its history is or because there is no room. */
  #leaves(passed: PassedExchange, isTooMuch: boolean): boolean {
    const { history, baseUrl } = historyOf(passed);
    const isKnown = history !== undefined && this.#leftOut.has(history);
    if (!isKnown && !isTooMuch) return false;
    if (this.#left.exchanges === 0) this.#options.behind?.();
    const isNew = history !== undefined && !isKnown;
    this.#left = { histories: this.#left.histories + (isNew ? 1 : 0), exchanges: this.#left.exchanges + 1 };
    if (isNew) {
      this.#leftOut.add(history);
      this.#post({ kind: 'leave-out', history, baseUrl });
    }
    return true;
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}

const weight = ({ request, response }: PassedExchange): number =>
  frame + (request.body?.length ?? 0) + (response?.body?.length ?? 0);

/** The history under the name that the judging thread gives it. */
function historyOf(passed: PassedExchange): { history: string | undefined; baseUrl: string } {
  const { method, url } = passed.request;
  const address = addressOf(method, url);
  if (!address) return { history: undefined, baseUrl: '' };
  const { operation, resource, baseUrl } = address;
  const { histories, readOperation } = contract();
  if (!isStartRequest(address)) return { history: histories.by(operation, resource), baseUrl };
  const id = startedBy(passed);
  return { history: id && histories.by(readOperation, id), baseUrl };
}

/** The id of a started execution. Only called when judging falls behind, since it parses the answer. */
function startedBy(passed: PassedExchange): string | undefined {
  const field = new RegExp(`${contract().startedId}[\\\\":\\s]+([\\w-]+)`);
  const [, id] = field.exec(JSON.stringify(lineOf(passed).response)) ?? [];
  return id;
}
