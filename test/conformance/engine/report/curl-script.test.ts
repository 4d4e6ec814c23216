import { expect, test } from 'vitest';
import { httpTransport } from '../../../../conformance/engine/http/http.js';
import { answerBody } from '../../../../conformance/engine/outcome/read.js';
import { curlScript } from '../../../../conformance/engine/report/curl-script.js';
import { quiet } from '../../../../conformance/engine/send/recorder.js';
import type { Body, Exchange } from '../../../../conformance/engine/vocabulary.js';
import { allOrThrow, Driver } from '../../../../conformance/suite/driver.js';
import { Session } from '../../../../conformance/suite/session.js';
import { toTarget } from '../../../../conformance/suite/target/target.js';
import { samples } from '../../../../generated/samples.js';
import { startReference } from '../../../../reference/index.js';
import { run, withShell } from '../../../support/shell.js';
import { violation } from '../../../support/violations.js';

/** What a conversation with a service of its own was recorded as. */
async function record(converse: (driver: Driver) => Promise<void>): Promise<readonly Exchange[]> {
  const reference = await startReference();
  const transport = httpTransport();
  const session = new Session(toTarget(reference.fixtures), {
    transport,
    clock: { now: Date.now, sleep: async () => {} },
    seed: 1,
  });
  try {
    await converse(new Driver(session, 'journey', quiet));
    return session.exchanges;
  } finally {
    await transport.close();
    await reference.close();
  }
}

/** A violation that the last of them shows, by its status. */
const shownBy = (exchanges: readonly Exchange[]) =>
  violation({
    exchanges: exchanges.slice(-1).map(({ id }) => id),
    signature: `another answer: ${exchanges.at(-1)?.response?.status}`,
  });

withShell('a script sends the requests of a run again, with the ids that another service gives', async () => {
  const cookie = { ...samples.Cookie.minimal, name: "it's", value: '$HOME `x` \\ \u2028' };
  const exchanges = await record(async (driver) => {
    const { profile = '' } = driver.facts;
    const copy = await driver.send({ step: 'copy', operation: 'duplicateProfile', id: profile });
    const id = String(answerBody(copy)?.id);
    const update = (step: string, body: object) => driver.send({ step, operation: 'updateProfile', id, body });
    const added = await update('add', { cookiesToAdd: [cookie] });
    const cookies = answerBody(added)?.cookies as { id: string }[];
    await allOrThrow([update('describe', { description: 'one' }), update('rename', { name: `renamed ${id}` })]);
    await update('delete', { cookiesToDelete: [cookies.at(-1)?.id] });
  });
  const fresh = await startReference();
  const { code, output } = await run(curlScript(exchanges, shownBy(exchanges), ['Why it was\nwritten']), fresh);
  await fresh.close();

  expect(code).toBe(0);
  expect(output.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 201', ...Array(4).fill('HTTP/1.1 200')]);
  const [copied, added, , , deleted] = output.split('\n').flatMap((line) => (line[0] === '{' ? JSON.parse(line) : []));
  expect(copied.id).not.toBe(answerBody(exchanges[0] as Exchange)?.id);
  expect(added.id).toBe(copied.id);
  expect(added.cookies.at(-1)).toMatchObject(cookie);
  expect(deleted).toMatchObject({ name: `renamed ${copied.id}`, description: 'one', cookies: copied.cookies });
});

withShell('a script ends where an answer does not give the id that the next step needs', async () => {
  const exchanges = await record(async (driver) => {
    const started = await driver.send({
      step: 'start',
      operation: 'execute',
      id: driver.facts.workflows.completes ?? '',
      body: {},
    });
    await driver.send({ step: 'read', operation: 'getExecution', id: String(answerBody(started)?.executionId) });
  });
  const without = await startReference({
    faults: [{ id: 'refuses', says: '', behaviour: () => ({ mayCall: () => false }) }],
  });
  const { code, output } = await run(curlScript(exchanges, shownBy(exchanges)), without);
  await without.close();
  expect(code).toBe(2);
  expect(output).toContain('It cannot be decided: request 1 was answered 403, and 202 when this was recorded.');
  expect(output.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 403']);
});

const none: Body = { kind: 'none' };
const at = (sentAt: number, durationMs = 10): Exchange => ({
  id: 1,
  operation: 'getExecution',
  resource: 'x',
  at: sentAt,
  durationMs,
  request: { method: 'GET', url: 'https://a.example/agents/v2/executions/x', headers: {}, body: none },
});

test.each<[what: string, exchanges: readonly Exchange[], given: RegExp]>([
  ['waits as long as was waited, where that is short', [at(0), at(2500)], /^sleep 2\.5$/m],
  [
    'asks again where the run waited for long',
    [at(0), { ...at(482_900), id: 2 }],
    /^left=\$\{PATIENCE:-966\}\n(curl .*)\nuntil .*; do\n {2}sleep 10; left=\$\(\(left - 10\)\)\n {2}\1\ndone$/m,
  ],
  ['sends at the same time what was sent so', [at(0), at(5)], /^# 1, 2 at the same time$.*^wait$/ms],
  ['may be sent elsewhere', [at(0)], /^base=\$\{BASE_URL:-https:\/\/a\.example\}$.*"\$base"\/agents/ms],
])('a script %s', (_, exchanges, given) => {
  expect(curlScript(exchanges, shownBy(exchanges))).toMatch(given);
});
