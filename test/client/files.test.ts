import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createWorkflowClient, type DownloadOptions, type WorkflowClientOptions } from '../../client/index.js';
// Loaded here already: the clock of these tests does not wait for a module.
import '../../client/files.js';
import { FakeClock } from '../support/fake-clock.js';
import { apiKey, errorOf, execution, executionId, json } from './support.js';

const base = 'https://api.example.com';
const file = (downloadUrl: string, more: object = {}) => ({
  id: executionId,
  executionId,
  directory: 'downloads',
  fileName: 'a.txt',
  filePath: 'downloads/a.txt',
  fileSize: 5,
  downloadUrl,
  ...more,
});
const listing = (...files: object[]) => json({ directories: { downloads: files, debug: [] } });

/** A client whose listings come in turn, and whose downloads are answered by address. */
function downloading(
  listings: Response[],
  answers: Record<string, () => Response> = {},
  more: Partial<WorkflowClientOptions> = {},
  statuses: string[] = [],
) {
  const clock = new FakeClock();
  const sent: [url: string, key: string | null, redirect: string | undefined][] = [];
  const tenants: (string | null)[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = String(input);
    const headers = new Headers(init.headers);
    sent.push([url, headers.get('X-Api-Key'), init.redirect]);
    tenants.push(headers.get('X-Tenant'));
    if (url.endsWith(`/executions/${executionId}`))
      return execution(statuses.length > 1 ? `${statuses.shift()}` : 'completed');
    if (url.endsWith('/files')) return (listings.length > 1 ? listings.shift() : listings[0]?.clone()) as Response;
    return answers[url]?.() ?? new Response('12345');
  };
  const client = createWorkflowClient({ baseUrl: base, apiKey, fetch, ...more }, clock.runtime);
  const texts = async (options?: DownloadOptions) => {
    const all: string[] = [];
    for await (const { file, body } of client.downloadFiles(executionId, { atLeast: 1, ...options }))
      all.push(`${file.filePath}: ${await new Response(body).text()}`);
    return all;
  };
  return { clock, client, sent, tenants, texts };
}

describe('downloading files', () => {
  test('waits until files are listed', async () => {
    const { clock, texts, sent } = downloading([listing(), listing(), listing(file('https://files.example/a'))]);
    const all = texts();
    await clock.advance(5000);
    expect(await all).toEqual(['downloads/a.txt: 12345']);
    expect(sent).toHaveLength(4);
  });

  test('waits for the end, then until the listing no longer changes', async () => {
    const [a, b] = ['a', 'b'].map((name) => file(`https://files.example/${name}`, { id: name, filePath: name }));
    const { clock, texts, sent } = downloading(
      [listing(), listing(a as object), listing(b as object, a as object), listing(a as object, b as object)],
      {},
      {},
      ['running', 'running', 'completed', ''],
    );
    const all = texts({ atLeast: undefined });
    await clock.advance(60_000);
    expect(await all).toEqual(['a: 12345', 'b: 12345']);
    expect(sent.filter(([url]) => url.endsWith('/files'))).toHaveLength(4);
  });

  test('returns no files for a run without files, after settleMs', async () => {
    const { clock, texts, sent } = downloading([listing()]);
    const begun = clock.now();
    const all = texts({ atLeast: undefined, settleMs: 500 });
    await clock.advance(500);
    expect(await all).toEqual([]);
    expect(clock.now() - begun).toBe(500);
    expect(sent).toHaveLength(3);
  });

  test('ends at the deadline if the run does not end or the listing keeps changing', async () => {
    const running = downloading([listing()], {}, {}, Array(100).fill('running'));
    const late = errorOf(running.texts({ atLeast: undefined, timeoutMs: 5000 }), 'timeout');
    await running.clock.advance(5000);
    expect((await late).message).toContain('still running');

    const growing = downloading(Array.from({ length: 100 }, (_, n) => listing(file('/f', { fileSize: n }))));
    const restless = errorOf(growing.texts({ atLeast: undefined }), 'timeout');
    await growing.clock.advance(30_000);
    expect((await restless).message).toContain('the listing still changed');
  });

  test('reads a body that is a stream of Node', async () => {
    const body = () => Readable.from([Buffer.from('123'), Buffer.from('45')]);
    const { texts } = downloading([listing(file('https://files.example/a'))], {
      'https://files.example/a': () => ({ ok: true, status: 200, headers: new Headers(), body: body() }) as never,
    });
    expect(await texts()).toEqual(['downloads/a.txt: 12345']);
  });

  test('names the file and the cause when apiKey() fails', async () => {
    let calls = 0;
    const apiKey = () => {
      calls += 1;
      if (calls > 1) throw new Error('vault is sealed');
      return 'key';
    };
    const { texts } = downloading([listing(file('/f/1'))], {}, { apiKey });
    expect(await errorOf(texts(), 'configuration')).toMatchObject({
      executionId,
      operation: 'listExecutionFiles',
      message: 'downloadFiles: downloads/a.txt: your apiKey function failed.',
      cause: { message: 'vault is sealed' },
    });
  });

  test('reports that no file was listed in time', async () => {
    const { clock, texts } = downloading([listing()]);
    const ended = errorOf(texts({ timeoutMs: 2000 }), 'timeout');
    await clock.advance(2000);
    expect((await ended).message).toContain('0 of 1 files');
  });

  test('names the directories without files, and the directories that exist', async () => {
    const { clock, texts } = downloading([listing(file('https://files.example/a'))]);
    const ended = errorOf(texts({ timeoutMs: 2000, directories: ['debug'] }), 'timeout');
    await clock.advance(2000);
    expect((await ended).message).toContain('in debug (there is downloads,debug)');
  });

  test('sends no request for a missing address', async () => {
    const { texts, sent } = downloading([listing({ ...file(''), downloadUrl: null })]);
    await errorOf(texts(), 'malformed-response');
    expect(sent).toHaveLength(1);
  });

  test('returns the selected files only', async () => {
    const { texts } = downloading([
      listing(file('https://files.example/a'), file('https://files.example/b', { filePath: 'downloads/b.txt' })),
    ]);
    expect(await texts({ filter: ({ filePath }) => filePath.includes('b') })).toEqual(['downloads/b.txt: 12345']);
    expect(await texts({ directories: ['debug'], atLeast: 0 })).toEqual([]);
  });

  test('sends the key to the service only', async () => {
    const elsewhere = 'https://files.example/signed';
    const { texts, sent } = downloading([listing(file(elsewhere), file(`${base}/f/1`), file('/f/2'))], {
      [`${base}/f/1`]: () => new Response(null, { status: 302, headers: { Location: elsewhere } }),
    });
    expect(await texts()).toHaveLength(3);
    expect(sent.slice(1)).toEqual([
      [elsewhere, null, 'follow'],
      [`${base}/f/1`, apiKey, 'manual'],
      [elsewhere, null, 'follow'],
      [`${base}/f/2`, apiKey, 'manual'],
    ]);
  });

  const moved = (Location: string) => () => new Response(null, { status: 302, headers: { Location } });

  test('follows redirects with the key as long as they stay on the service', async () => {
    const { texts, sent } = downloading([listing(file('/f/1'), file('/f/round'))], {
      [`${base}/f/1`]: moved('/f/2'),
      [`${base}/f/2`]: moved('https://files.example/a'),
      [`${base}/f/round`]: moved('/f/round'),
    });
    expect((await errorOf(texts(), 'network')).message).toContain('HTTP 302');
    expect(sent.slice(1, 4)).toEqual([
      [`${base}/f/1`, apiKey, 'manual'],
      [`${base}/f/2`, apiKey, 'manual'],
      ['https://files.example/a', null, 'follow'],
    ]);
    expect(sent.slice(4)).toEqual(Array(6).fill([`${base}/f/round`, apiKey, 'manual']));
  });

  test('reports that the service redirects, when a browser hides the rest of the answer', async () => {
    const hidden = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    const { texts } = downloading([listing(file('/f/1'))], { [`${base}/f/1`]: () => hidden });
    expect((await errorOf(texts(), 'network')).message).toContain('no file (the service redirects)');
  });

  test('sends the headers to the service only, and passes them to the hooks', async () => {
    const told: string[] = [];
    const elsewhere = 'https://files.example/signed';
    const { texts, tenants } = downloading(
      [listing(file('/f/1'), file(elsewhere))],
      { [`${base}/f/1`]: moved(elsewhere) },
      {
        headers: { 'X-Tenant': 'one' },
        onRequest: ({ url, headers }) =>
          void told.push(`${url} ${headers.get('X-Tenant')} ${headers.has('X-Api-Key')}`),
        onResponse: ({ url, status, attempt, operation }) => void told.push(`${url} ${status} ${attempt} ${operation}`),
      },
    );
    await texts();
    expect(tenants).toEqual(['one', 'one', null, null]);
    expect(told.slice(2)).toEqual([`${base}/f/1 one false`, `${base}/f/1 302 1 null`]);
  });

  test('sends headers that a hook adds, and reports the end of a request without an answer to the hooks', async () => {
    const told: unknown[] = [];
    const { texts, tenants } = downloading(
      [listing(file('/f/1'))],
      {
        [`${base}/f/1`]: () => {
          throw new TypeError('gone');
        },
      },
      {
        onRequest: ({ headers }) => headers.set('X-Tenant', 'two'),
        onResponse: ({ status, url }) => void told.push([url, status]),
      },
    );
    await errorOf(texts(), 'network');
    expect(tenants).toEqual(['two', 'two']);
    expect(told.at(-1)).toEqual([`${base}/f/1`, undefined]);
  });

  test.each([
    ['too few bytes', '1234', '4 of its 5 bytes'],
    ['too many bytes', '123456', 'more than its 5 bytes'],
  ])('refuses %s', async (_, text, said) => {
    const { texts } = downloading([listing(file('https://files.example/a'))], {
      'https://files.example/a': () => new Response(text),
    });
    expect((await errorOf(texts(), 'malformed-response')).message).toContain(said);
  });

  test.each([
    ['an answer without a file', 'https://files.example/a', 'HTTP 403', 'network'],
    ['an address of another kind', 'file:///etc/passwd', 'downloadUrl', 'malformed-response'],
  ] as const)('names the error of %s', async (_, url, said, kind) => {
    const { texts } = downloading([listing(file(url))], { [url]: () => new Response('no', { status: 403 }) });
    expect((await errorOf(texts(), kind)).message).toContain(said);
  });

  test('accepts an answer without a body for an empty file', async () => {
    const { texts } = downloading([listing(file('https://files.example/a', { fileSize: 0 }))], {
      'https://files.example/a': () => new Response(null, { status: 204 }),
    });
    expect(await texts()).toEqual(['downloads/a.txt: ']);
  });

  test('reports why a file was not downloaded, and that no request was sent', async () => {
    const reason = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { texts } = downloading([listing(file('https://files.example/a'))], {
      'https://files.example/a': () => {
        throw new TypeError('fetch failed', { cause: reason });
      },
    });
    const error = await errorOf(texts(), 'network');
    expect(error).toMatchObject({ requestSent: false, cause: { code: 'ECONNREFUSED' } });
    expect(error.message).toBe(
      'downloadFiles: downloads/a.txt: no answer: fetch failed (connect ECONNREFUSED); files.example is an example, as of the mock: no file is there',
    );
  });

  test('passes on the reason of an abort', async () => {
    const controller = new AbortController();
    const reason = new Error('The user went away.');
    const { texts } = downloading([listing(file('https://files.example/a'))], {
      'https://files.example/a': () => {
        controller.abort(reason);
        throw new TypeError('aborted');
      },
    });
    expect((await errorOf(texts({ signal: controller.signal }), 'aborted')).cause).toBe(reason);
  });

  /** A body that gives a byte, and then what it is told to. */
  const begun = (then: (controller: ReadableStreamDefaultController<Uint8Array>) => void) => () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(1)),
        pull: then,
      }),
    );

  test('names the file that was cut off', async () => {
    const { texts } = downloading([listing(file('https://files.example/a'))], {
      'https://files.example/a': begun((controller) => controller.error(new TypeError(`terminated: ${apiKey}`))),
    });
    const { message } = await errorOf(texts(), 'network');
    expect(message).toBe('downloadFiles: downloads/a.txt: the answer was cut off: terminated: [key]');
  });

  test('reports that a file was aborted, with the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('The user went away.');
    const { texts } = downloading([listing(file('https://files.example/a'))], {
      'https://files.example/a': begun((body) => {
        controller.abort(reason);
        body.error(reason);
      }),
    });
    expect((await errorOf(texts({ signal: controller.signal }), 'aborted')).cause).toBe(reason);
  });

  test('cancels a file that the caller cancels', async () => {
    const left: unknown[] = [];
    const endless = () => new Response(new ReadableStream({ cancel: (reason) => void left.push(reason) }));
    const { client } = downloading([listing(file('https://files.example/a'))], { 'https://files.example/a': endless });
    for await (const { body } of client.downloadFiles(executionId, { atLeast: 1 })) await body.cancel('enough');
    expect(left).toEqual(['enough']);
  });

  test('refuses an answer without a list of files', async () => {
    const { texts } = downloading([json({ directories: { downloads: null } })]);
    expect((await errorOf(texts(), 'malformed-response')).message).toContain('not a file');
  });

  test.each<[name: string, options: object, said: string]>([
    ['an invalid number of files', { atLeast: Number.NaN }, 'atLeast'],
    ['one directory instead of a list', { directories: 'downloads' }, 'directories'],
    ['an invalid filter', { filter: 'a.txt' }, 'filter'],
  ])('refuses %s', async (_, options, said) => {
    const { texts, sent } = downloading([listing()]);
    expect((await errorOf(texts(options), 'invalid-request')).message).toContain(said);
    expect(sent).toHaveLength(0);
  });
});
