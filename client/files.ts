/** Downloads the files of an execution. Loaded on first use. */

import { isObject } from '../common/values.js';
import type { ExecutionFile, ExecutionFileDirectories, ExecutionFiles } from '../generated/types.js';
import { isRedirect } from './answers.js';
import type { Answer } from './call.js';
import { checkBounds, checkOptions, checkRequest, type Known, refusing } from './checks.js';
import { WorkflowError } from './errors.js';
import { broken, type Failure, isForFramework, malformed, stopped } from './failures.js';
import { callHook } from './hooks.js';
import { type Limits, type Stop, sleep } from './limits.js';
import type { Settings } from './options.js';
import { jittered } from './retry.js';
import type { Runtime } from './runtime.js';
import type { ServiceRequest } from './sender.js';
import { sendAlone } from './sending.js';

/** Which files `downloadFiles` yields, and how long it waits for them. */
export interface DownloadOptions {
  /** Aborts waiting and downloading at once. */
  signal?: AbortSignal | undefined;
  /** The directories to download from. Default: all. */
  directories?: readonly (keyof ExecutionFileDirectories)[] | undefined;
  /** Selects among the files of these directories. Default: all of them. */
  filter?: ((file: ExecutionFile) => boolean) | undefined;
  /**
   * Waits until this many selected files are listed, and misses later ones. Default: what is listed once the
   * execution has ended and the listing has not changed for `settleMs`.
   */
  atLeast?: number | undefined;
  /** How long the listing must not change after the end, in milliseconds. Default: 2000. */
  settleMs?: number | undefined;
  /**
   * How long to wait for the listing, in milliseconds; downloads have no timeout. Default: until the execution has
   * ended, and 30,000.
   */
  timeoutMs?: number | undefined;
}

/** A file, as the service lists it, and its contents. */
export interface DownloadedFile {
  readonly file: ExecutionFile;
  /** The contents as a stream. It fails if there are more or fewer bytes than `file.fileSize`. */
  readonly body: ReadableStream<Uint8Array>;
}

const known: Known<DownloadOptions> = {
  signal: 'any',
  directories: 'any',
  filter: 'function',
  atLeast: 'any',
  settleMs: 'number',
  timeoutMs: 'number',
};

const directoryNames: readonly string[] = Object.keys({
  debug: 1,
  downloads: 1,
  shared: 1,
  tracing: 1,
  uploads: 1,
  workspace: 1,
} satisfies Record<keyof ExecutionFileDirectories, 1>);

const operation = 'listExecutionFiles';
const usualTimeoutMs = 30_000;
const usualSettleMs = 2000;
const firstPauseMs = 200;
const longestPauseMs = 5000;
const growth = 1.5;

type Ended = (limits: Limits) => Promise<unknown>;
type Request = <T>(question: ServiceRequest, limits: Limits) => Promise<Answer<T>>;

/** Waits until the files are listed, then downloads one after the other. `ended` waits for the end of the execution. */
export async function* downloads(
  request: Request,
  ended: Ended,
  settings: Settings,
  runtime: Runtime,
  executionId: string,
  options: DownloadOptions = {},
): AsyncGenerator<DownloadedFile, void, undefined> {
  const refuse = refusing(operation, 'downloadFiles');
  checkRequest(operation, { executionId }, undefined, undefined, refuse);
  checkOptions(refuse, options, known);
  checkBounds(refuse, 'atLeast', options.atLeast, { of: 'integer', minimum: 0 });
  if (options.directories !== undefined && !Array.isArray(options.directories))
    throw refuse('directories must be a list of names.');
  for (const name of options.directories ?? [])
    if (!directoryNames.includes(name))
      throw refuse(`directories names ${JSON.stringify(name)}, which is not one of ${directoryNames.join(', ')}.`);
  const { signal, directories, filter = () => true, atLeast, settleMs = usualSettleMs } = options;
  const limitsOf = (ms: number) => ({ signal, deadline: runtime.now() + ms });
  let limits = limitsOf(options.timeoutMs ?? (atLeast === undefined ? Infinity : usualTimeoutMs));
  if (atLeast === undefined) {
    await ended(limits);
    if (options.timeoutMs === undefined) limits = limitsOf(usualTimeoutMs);
  }
  const about = { operation, executionId, requestSent: true } as const;
  const late = ({ kind, cause }: Stop, { length }: readonly ExecutionFile[], there: object) => {
    const where = directories ? ` in ${directories.join()} (there is ${Object.keys(there).join()})` : '';
    const text =
      kind === 'aborted'
        ? 'aborted by the caller'
        : atLeast === undefined
          ? 'the listing still changed at the deadline'
          : `${length} of ${atLeast} files were listed in time${where}`;
    return new WorkflowError(kind, settings.cleaner.text(`downloadFiles: ${text}`), { ...about, cause });
  };
  let files: ExecutionFile[];
  let before: string | undefined;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * growth, longestPauseMs)) {
    const question = { operation, ids: { executionId }, headers: settings.headers } as const;
    const { data } = await request<ExecutionFiles>(question, limits);
    files = Object.entries(data.directories)
      .filter(([name]) => !directories || (directories as readonly string[]).includes(name))
      .flatMap(([, inDirectory]) => inDirectory);
    if (!files.every(isObject))
      throw new WorkflowError(
        'malformed-response',
        'downloadFiles: the listing holds something that is not a file',
        about,
      );
    files = files.filter(filter);
    const listed = JSON.stringify(files.map(({ id, fileSize }) => [id, fileSize]).sort());
    if (atLeast === undefined ? listed === before : files.length >= atLeast) break;
    before = listed;
    await sleep(runtime, limits, atLeast === undefined ? settleMs : jittered(pause, runtime), (stop) =>
      late(stop, files, data.directories),
    );
  }
  for (const file of files) yield { file, body: await download(file, settings, runtime, signal) };
}

async function download(
  file: ExecutionFile,
  settings: Settings,
  runtime: Runtime,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const fail = ({ kind, text, ...details }: Failure) =>
    new WorkflowError(kind, settings.cleaner.text(`downloadFiles: ${file.filePath}: ${text}`), {
      operation,
      executionId: file.executionId,
      requestSent: true,
      ...details,
    });
  const failed = (error: unknown, hasAnswer: boolean, more = '') => {
    if (signal?.aborted) return fail(stopped({ kind: 'aborted', cause: signal.reason }, true));
    const failure = broken(error, true, hasAnswer, settings.cleaner);
    return fail({ ...failure, text: failure.text + more });
  };
  const url = address(file.downloadUrl, settings.baseUrl);
  // The mock lists the files of the contract's example, whose hosts do not exist (RFC 2606).
  const example = /(^|\.)(example(\.(com|net|org))?|invalid|test)$/.test(url?.hostname ?? '')
    ? `; ${url?.hostname} is an example, as of the mock: no file is there`
    : '';
  if (!url) throw fail(malformed('downloadUrl is not an http or https address'));
  let response: Response;
  try {
    response = await get(url, settings, runtime, signal && { signal });
  } catch (error) {
    if (isForFramework(error)) throw error;
    // The key function failed.
    if (error instanceof WorkflowError) throw fail({ kind: error.kind, text: error.message, cause: error.cause });
    throw failed(error, false, example);
  }
  const { ok, status } = response;
  // Browsers hide the status of a redirect.
  const seen = status ? `HTTP ${status}` : 'the service redirects';
  if (!ok) throw fail({ kind: 'network', text: `the answer has no file (${seen})${example}`, status });
  // An empty file may come without a body; that of another fetch may be a stream of Node.
  const stream = response.body ?? new Blob().stream();
  const reader = ('getReader' in stream ? stream : streams.from(stream)).getReader();
  let bytes = 0;
  const next = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await reader.read();
    bytes += value?.byteLength ?? 0;
    if (bytes > file.fileSize) throw fail(malformed(`more than its ${file.fileSize} bytes came`));
    if (!done) return controller.enqueue(value);
    if (bytes < file.fileSize) throw fail(malformed(`${bytes} of its ${file.fileSize} bytes came`));
    controller.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        next(controller).catch((error: unknown) => {
          reader.cancel().catch(() => {});
          throw error instanceof WorkflowError ? error : failed(error, true);
        }),
      cancel: (reason) => reader.cancel(reason),
    },
    // Read nothing before the consumer asks for it.
    { highWaterMark: 0 },
  );
}

// Node has it; the types of browsers do not.
const streams = ReadableStream as unknown as { from(chunks: unknown): ReadableStream<Uint8Array> };

function address(downloadUrl: unknown, baseUrl: string): URL | undefined {
  // `new URL` would also accept undefined.
  if (typeof downloadUrl !== 'string') return undefined;
  try {
    const url = new URL(downloadUrl, `${baseUrl}/`);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

const mostRedirects = 5;

/**
 * Gets a file. Key and headers are sent to the base URL only: redirects within it are followed by hand, and any other
 * address is fetched without them. Hooks are not called for other addresses: a signed URL is itself a secret.
 */
async function get(
  start: URL,
  settings: Settings,
  runtime: Runtime,
  within: { signal?: AbortSignal } | undefined,
): Promise<Response> {
  let url = start.href;
  for (let redirects = 0; url.startsWith(`${settings.baseUrl}/`); redirects += 1) {
    const event = { operation: null, attempt: 1, method: 'GET', url, headers: new Headers(settings.headers) };
    const response = await sendAlone(settings, runtime, event, 'X-Api-Key', { ...within, redirect: 'manual' });
    const location = response.headers.get('Location');
    if (!isRedirect(response) || !location || redirects === mostRedirects) return response;
    url = new URL(location, url).href;
  }
  // The rest of the address may be signed.
  callHook(settings.log, `GET ${new URL(url).origin}`);
  return settings.fetch(url, { ...within, method: 'GET', headers: {}, redirect: 'follow' });
}
