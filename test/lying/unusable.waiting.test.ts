import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../cli/program.js';
import type { Report } from '../../conformance/engine/vocabulary/report.js';
import { selfSigned } from '../fixtures/self-signed.js';
import { temporaryFolder } from '../support/folder.js';
import { serve } from '../support/serve.js';
import { lies } from './servers.js';

const key = 'the-key-that-no-output-shows';
const folder = temporaryFolder();

/** Runs the command on a target, and gives all that it wrote. */
async function checked(url: string, name: string, patienceSeconds = 1) {
  const file = (format: string) => join(folder, `${name.replaceAll(/\W+/g, '-')}.${format}`);
  const target = file('yaml');
  await writeFile(
    target,
    `baseUrl: ${url}\napiKeys:\n  primary: \${KEY}\npace:\n  patienceSeconds: ${patienceSeconds}\n`,
  );
  const formats = ['json', 'junit', 'markdown', 'html', 'har'];
  let console = '';
  const stream = { write: (text: string) => (console += text) };
  const exitCode = await run(
    ['check', '--target', target, '--allow', 'read', ...formats.flatMap((one) => ['--report', `${one}=${file(one)}`])],
    { stdout: stream, stderr: stream, env: { KEY: key }, interrupted: new AbortController().signal, exitCode: 0 },
  );
  const written = await Promise.all(formats.map((one) => readFile(file(one), 'utf8')));
  return { exitCode, console, written, report: JSON.parse(written[0] ?? '') as Report };
}

/** What holds of every target that is unusable. */
function expectUnusable(
  { exitCode, console, written, report }: Awaited<ReturnType<typeof checked>>,
  why: RegExp,
): void {
  expect(report.reason).toMatch(why);
  expect({ exitCode, verdict: report.verdict, passed: report.summary.passed }).toEqual({
    exitCode: 4,
    verdict: 'unusable',
    passed: 0,
  });
  for (const text of [console, ...written]) {
    expect(text).not.toContain(key);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none comes through is the point
    expect(text).not.toMatch(/\u001b/);
  }
  expect(console).not.toMatch(/\u202e/);
  expect(written[3]).not.toContain('<script>alert');
  expect(console).toContain(report.reason.slice(0, 20));
}

const expected: Record<keyof typeof lies, RegExp> = {
  'always 400': /gets the same answer/,
  'always 401': /key is refused/,
  'always 403': /no permission even to read/,
  'always 404': /gets the same answer/,
  'always 500': /gets the same answer/,
  'always 200 {}': /gets the same answer/,
  'always the same refusal, with the path in it': /gets the same answer/,
  'always the same refusal, with the path decoded in it': /gets the same answer/,
  'always the same refusal, with the path of a router in it': /gets the same answer/,
  'always the same refusal, with the id of a trace in it': /gets the same answer/,
  'a gateway that asks for a client certificate': /clientCertificate in the target file/,
  'always HTML': /gets the same answer/,
  'a redirect loop': /redirected/,
  'accepts and never answers': /No complete answer within 1 s/,
  'one byte a second': /No complete answer within 1 s/,
  'a body of 1 GB': /cannot be judged: .*larger than 8 MB/,
  'a gzip bomb': /larger than 8 MB/,
  'invalid gzip': /not valid gzip/,
  'truncated JSON': /gets the same answer/,
  'a connection that is reset in mid-body': /connection broke/,
  'invalid UTF-8': /gets the same answer/,
  '10,000 levels of nesting': /gets the same answer/,
  'terminal escape sequences and markup in messages': /gets the same answer/,
};

describe('a target that is not a service of this interface is unusable, and no rule passes:', () => {
  // Most of it is waiting for what never comes.
  test.concurrent.each(Object.entries(expected))('%s', async (name, why) => {
    // On a busy machine any answer may take longer than a second.
    const isNone = /No complete answer/.test(why.source);
    const server = await serve(lies[name as keyof typeof lies]);
    try {
      // Below a path of its own, of which answers may repeat all or a part.
      expectUnusable(await checked(`${server.url}/gate%20way`, name, isNone ? 1 : 10), why);
    } finally {
      await server.close();
    }
  });

  test('a port where nothing listens', async () => {
    const server = await serve(lies['always 404']);
    await server.close();
    expectUnusable(
      await checked(server.url, 'closed port'),
      /Nothing listens at 127\.0\.0\.1 port \d+ \(ECONNREFUSED\)/,
    );
  });

  test('a name that does not resolve', async () => {
    expectUnusable(await checked('https://no-such-host.invalid', 'no such host'), /does not resolve/);
  });

  test('an unknown certificate authority', async () => {
    const server = await serve(lies['always 404'], selfSigned);
    try {
      expectUnusable(await checked(server.url, 'unknown authority'), /known authority .*NODE_EXTRA_CA_CERTS/);
    } finally {
      await server.close();
    }
  });

  test('a service of plain HTTP under an https address', async () => {
    const server = await serve(lies['always 404']);
    try {
      expectUnusable(await checked(server.url.replace('http:', 'https:'), 'no TLS'), /does not speak TLS.*http:\/\//);
    } finally {
      await server.close();
    }
  });

  test('a redirect to another origin, to which no key is sent', async () => {
    const elsewhere = await serve(lies['always 200 {}']);
    const server = await serve((request, response) =>
      response.writeHead(307, { location: `${elsewhere.url}${request.url}` }).end(),
    );
    try {
      expectUnusable(await checked(server.url, 'redirect'), /redirected \(307\) to .*Set baseUrl to the final address/);
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await Promise.all([server.close(), elsewhere.close()]);
    }
  });
});
