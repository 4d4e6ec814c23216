import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { run } from '../../cli/program.js';
import { findFault, type Reference, startReference } from '../../deviations/index.js';
import { temporaryFolder } from '../support/folder.js';
import { sampleReport } from '../support/report.js';
import { listen } from '../support/serve.js';
import { cli } from './support.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const written = (name: string) => readFile(at(name), 'utf8');
async function put(name: string, text: string): Promise<string> {
  await writeFile(at(name), text);
  return at(name);
}

describe('an error of the user is reported in one line, before any request is sent:', () => {
  // Nothing listens there: a run would end with 4.
  const target = ['check', 'http://127.0.0.1:1'];
  const old = at('old.json');
  beforeAll(() => put('old.json', JSON.stringify({ ...sampleReport(), version: 2 })));
  it.each<[string, string[], RegExp]>([
    ['an unknown effect', [...target, '--allow', 'all'], /--allow.*read, execute, write, delete/],
    ['an unknown option', [...target, '--stict'], /unknown option '--stict' \(Did you mean --strict\?\)/],
    [
      'a rule that does not exist',
      [...target, '--only', 'sync-*,nonesuch'],
      /no rule has the id nonesuch; "npx workflow-execution-contract rules" lists/,
    ],
    ['a rule that is misspelt', [...target, '--skip', 'terminal-is-finl'], /did you mean terminal-is-final\?/],
    [
      'an unknown part of the rules',
      [...target, '--min-judged', '101%'],
      /a number of rules, or a share of them such as 50%/,
    ],
    ['an empty list of rules', [...target, '--only', ' , '], /--only.*It is empty\./],
    ['all rules skipped', [...target, '--only', 'sync-*', '--skip', '*'], /leave no rule to judge/],
    [
      'a folder that does not exist',
      [...target, '--report', 'json=/nonesuch/r.json'],
      /\/nonesuch\/r\.json cannot be written: its folder/,
    ],
    [
      'a report of a plan',
      [...target, '--plan', '--report', 'json=r.json'],
      /'--plan'.* cannot be used with.*'--report/,
    ],
    [
      'two reports in one file',
      [...target, '--report', 'json=-', '--report', 'html=-'],
      /standard output is named for more/,
    ],
    ['a baseline that does not exist', [...target, '--baseline', 'nonesuch.yaml'], /nonesuch\.yaml does not exist\./],
    [
      'a report of version 2 to compare with',
      [...target, '--compare', old],
      /old\.json is a report of version 2, and /,
    ],
    ['a report of version 2 for pins', [...target, '--against', old], /old\.json:1:1: this is not a pin file/],
    [
      'no last report to repeat',
      [...target, '--state', folder, '--again'],
      /no report of a run on this service in .*--again report\.json/,
    ],
    ['a report of version 2 to repeat', [...target, '--again', old], /old\.json is a report of version 2, and /],
    ['an invalid base URL', ['check', 'staging'], /the base URL must be a URL/],
    ['a base URL without a scheme', ['check', 'staging.example.com'], /must begin with http/],
    ['a target file in place of a base URL', ['check', 'target.yaml'], /a target file is named by --target\./],
    ['a recording in place of a base URL', ['check', 'session.har.gz'], /a recording is named by --recording\./],
    [
      'a base URL in place of a target file',
      ['check', '--target', 'https://staging.example.com'],
      /takes a file, not a base URL; give the base URL without --target\./,
    ],
    [
      'an invalid number of executions',
      [...target, '--max-executions', 'few'],
      /--max-executions.*a whole number, 0 or more/,
    ],
    [
      'a gentle run that allows more',
      [...target, '--gentle', '--allow', 'write'],
      /--gentle only reads: leave out --allow write/,
    ],
    ['a capacity of zero', [...target, '--places', '0'], /--places.*a whole number, 1 or more/],
    [
      'an invalid state folder',
      [...target, '--state', '/dev/null'],
      /--state \/dev\/null cannot be used: it is no folder\./,
    ],
    ['a key in a file that all users can read', ['check', 'http://staging.invalid'], /plain HTTP.*--insecure-http/],
  ])('%s', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await cli(args, { WORKFLOW_API_KEY: 'secret-key' });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^workflow-contract: .*\n$/);
    expect(stderr).not.toContain('secret-key');
  });

  it('a missing key, except for a plan, which needs no key', async () => {
    const file = await put('keyed.yaml', `baseUrl: http://127.0.0.1:1\napiKeys:\n  primary: $${'{NONE}'}\n`);
    const args = ['check', '--target', file];
    expect(await cli(args)).toMatchObject({
      exitCode: 2,
      stderr: `workflow-contract: ${file}:3:3: the environment variable NONE is not set.\n`,
    });
    expect(await cli([...args, '--plan'])).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('every mistake of a target file at once', async () => {
    const file = await put(
      'mistyped.yaml',
      `baseUrl: http://127.0.0.1:1\nworkflow: {complets: x}\nprofile: $${'{NONE}'}\n`,
    );
    const { exitCode, stderr } = await cli(['check', '--target', file]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(':2:1: workflow is unknown; did you mean workflows?');
    expect(stderr).toContain(':3:1: the environment variable NONE is not set.');
  });
});

const withKey = { WORKFLOW_API_KEY: 'a-key-of-nobody' };

it('a run without a key ends before any request is sent, with the name of the variable', async () => {
  const { exitCode, stdout, stderr } = await cli(['check', 'http://127.0.0.1:1']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toBe('workflow-contract: no API key is given; put it into WORKFLOW_API_KEY. Nothing was sent.\n');
});

it('a folder for the copies that cannot be written is reported once, also where no progress is displayed', async () => {
  const reference = await startReference();
  try {
    const { baseUrl, apiKeys, profile } = reference.fixtures;
    const { primary } = apiKeys;
    const file = await put('changes.yaml', stringify({ baseUrl, apiKeys: { primary }, profile }));
    const stop = new AbortController();
    let told = '';
    const stderr = {
      write: (text: string) => {
        told += text;
        if (text.includes('cannot be written')) stop.abort();
        return true;
      },
    };
    const env = { XDG_STATE_HOME: '/dev/null' };
    const context = { stdout: { write: () => true }, stderr, env, interrupted: stop.signal, exitCode: 0 };
    await run(['check', '--target', file, '--allow', 'write', '--only', 'update-applies', '--quiet'], context);
    expect(told.match(/\/dev\/null\/\S+ cannot be written/g)).toHaveLength(1);
  } finally {
    await reference.close();
  }
});

// Every write into it fails, as on a disk that is full.
const fullDisk = '/dev/full';

it.runIf(existsSync(fullDisk))(
  'a report that cannot be written is reported, and the other reports are written',
  async () => {
    const reports = ['--report', `json=${fullDisk}`, '--report', `junit=${at('other.xml')}`];
    const { exitCode, stdout, stderr } = await cli(['check', 'http://127.0.0.1:1', ...reports], withKey);
    expect(exitCode).toBe(2);
    expect(stdout).toContain('Unusable');
    expect(stderr).toContain('workflow-contract: /dev/full cannot be written: no space is left.\n');
    expect(await written('other.xml')).toContain('<testsuites');
  },
);

describe('an unusable target ends with 4', () => {
  it('when nothing listens, and writes no passed rule and no pin', async () => {
    const pins = await put('kept.json', 'pinned before');
    const args = ['check', 'http://127.0.0.1:1', '--report', `json=${at('dead.json')}`, '--pin', pins];
    const { exitCode, stdout } = await cli(args, withKey);
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/Unusable.*cannot be reached/s);
    const report = JSON.parse(await written('dead.json'));
    expect(report).toMatchObject({ verdict: 'unusable', summary: { passed: 0 } });
    expect(await written('kept.json')).toBe('pinned before');
  });

  it('also when the time limit of the run results from the declared durations of executions', async () => {
    const completes = { id: 'f0000001-0000-4000-8000-000000000000', takes: '2m' };
    const file = { baseUrl: 'http://127.0.0.1:1', allow: 'execute', workflows: { completes } };
    const { exitCode, stderr } = await cli(['check', '--target', await put('takes.yaml', stringify(file))], withKey);
    expect(stderr).not.toContain('bug');
    expect(exitCode).toBe(4);
  });

  it('when every request is refused', async () => {
    const server = createServer((_, response) => response.writeHead(401).end('{"code":401,"message":"no"}'));
    const { exitCode } = await cli(['check', await listen(server)], withKey);
    server.close();
    expect(exitCode).toBe(4);
  });
});

describe('without a target', () => {
  it('keeps no state of a service that ends with the run', async () => {
    const state = at('state');
    const { exitCode } = await cli(
      ['check', '--allow', 'write', '--max-executions', '0', '--only', 'update-applies', '--quiet'],
      {
        XDG_STATE_HOME: state,
      },
    );
    expect(exitCode).toBe(0);
    expect(existsSync(state)).toBe(false);
  });

  it('checks the reference service and reports that it does', async () => {
    const { exitCode, stdout } = await cli(['check', '--allow', 'read']);
    expect(stdout).toMatch(/^No target is named: this checks the reference service, started .*\(allow: read\)\.\n/);
    expect(stdout).toMatch(/\nConformant so far: \d+ of \d+ rules judged, none violated\.\n$/);
    expect(exitCode).toBe(0);
  });

  it('plans without sending requests, with every effect allowed', async () => {
    const { exitCode, stdout } = await cli(['check', '--plan', '--only', 'over-capacity-*']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/allow: delete\) would send this\. Nothing is\s+sent now\./);
    expect(stdout).toMatch(/^capacity \(execute\), starts 4 executions\n {4}execute, executeSync, /m);
    expect(stdout).toMatch(/^ {2}requests: about \d+ besides polls/m);
    expect(stdout).not.toContain('made up');
  });
});

describe('a service that accepts every key:', () => {
  let faulty: Reference;
  let target: string[];
  let args: string[];
  let report: { stdout: string; stderr: string; exitCode: number };
  beforeAll(async () => {
    faulty = await startReference({ faults: [findFault('any-token-is-as-good-as-a-key')] });
    target = [
      'check',
      '--target',
      await put('faulty.yaml', stringify({ ...faulty.fixtures, allow: 'read' })),
      '--quiet',
    ];
    args = [...target, '--only', 'missing-key-is-401,malformed-id-is-refused,metadata-is-recorded'];
    report = await cli([...args, '--report', 'json=-', '--report', `junit=${at('r.xml')}`, '--pin', at('pins.json')]);
    await put('report.json', report.stdout);
  });
  afterAll(() => faulty.close());

  it('the violated rule ends the run with 1, and the text for readers goes to another stream than the report', async () => {
    expect(report.exitCode).toBe(1);
    const { verdict, rules } = JSON.parse(report.stdout);
    const broken = rules.filter(({ verdict }: { verdict: string }) => verdict === 'violated');
    expect({ verdict, broken: broken.map(({ id }: { id: string }) => id) }).toEqual({
      verdict: 'nonconformant',
      broken: ['missing-key-is-401'],
    });
    expect(report.stderr).toContain('MUST missing-key-is-401');
    expect(await written('r.xml')).toContain('<testsuites');
  });

  it('no output contains a key', async () => {
    const { primary, restricted } = faulty.fixtures.apiKeys;
    const all = [report.stdout, report.stderr, await written('r.xml'), await written('pins.json')].join();
    expect(all).not.toContain(primary);
    expect(all).not.toContain(restricted.key);
  });

  it('a baseline made from the report lets the same run pass, and fails a run that it is out of date for', async () => {
    const { stdout: baseline, exitCode } = await cli(['baseline', at('report.json')]);
    expect(exitCode).toBe(0);
    const file = await put('baseline.yaml', baseline);
    expect(await cli([...args, '--baseline', file])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Known failures (baseline)'),
    });
    const sound = await startReference();
    const run = await cli([...args, sound.url, '--baseline', file]);
    await sound.close();
    const lastLine = /\nBaseline out of date: missing-key-is-401 passes now\. Remove its entry\. 2 rules passed.*\n$/;
    expect(run).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(lastLine) });
  });

  it('a skipped rule cannot fail the run', async () => {
    expect(await cli([...args, '--skip', 'missing-key-*'])).toMatchObject({ exitCode: 0 });
    expect(await cli([...target, '--only', 'missing-key-*'])).toMatchObject({ exitCode: 1 });
  });

  it('an untested rule makes the run incomplete when all rules are required', async () => {
    const narrow = [...target, '--only', 'invalid-key-is-401,metadata-is-recorded'];
    expect(await cli(narrow)).toMatchObject({ exitCode: 0 });
    expect(await cli([...narrow, '--require-all'])).toMatchObject({ exitCode: 3 });
  });

  it('an observation that equals its pin has no note, one that differs has a note, and fails a strict run', async () => {
    const sound = [...args, '--skip', 'missing-key-*', '--against', at('pins.json')];
    expect((await cli(sound)).stdout).not.toContain('was pinned as');
    const pins = JSON.parse(await written('pins.json'));
    await put('other.json', JSON.stringify({ ...pins, gaps: { ...pins.gaps, 'malformed-id-status': ['418'] } }));
    const other = [...args, '--skip', 'missing-key-*', '--against', at('other.json')];
    expect(await cli(other)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('was pinned as 418') });
    expect(await cli([...other, '--strict'])).toMatchObject({ exitCode: 1 });
  });

  it('a comparison with an earlier report lists the changes', async () => {
    const { stdout } = await cli([...args, '--skip', 'missing-key-*', '--compare', at('report.json')]);
    expect(stdout).toMatch(/Since the earlier report\n {2}not judged in this run: MUST missing-key-is-401/);
    // The verdict is the last that is told.
    expect(stdout).toMatch(/\nConformant so far: \d+ of \d+ rules judged, none violated\. Since .*\n$/);
  });

  it('a run with a state folder is compared with the last run there that has a verdict', async () => {
    const state = at('state');
    const withState = [...args, '--state', state];
    expect((await cli(withState)).stdout).not.toContain('Since the earlier report');
    expect((await cli(withState)).stdout).toMatch(
      /Since the earlier report\n {2}still violated: MUST missing-key-is-401/,
    );
    for (const lastLine of [/ nothing changed\.\n$/, / nothing changed\.\n$/]) {
      const { stdout } = await cli([...withState, '--skip', 'missing-key-*']);
      expect(stdout).toMatch(/not judged in this run: MUST missing-key-is-401/);
      expect(stdout).toMatch(lastLine);
    }
    // What cannot be read is as good as none.
    for (const file of await readdir(state)) if (file.startsWith('report-')) await writeFile(join(state, file), '{');
    expect(await cli(withState)).toMatchObject({
      exitCode: 1,
      stdout: expect.not.stringContaining('Since the earlier report'),
    });
  });

  it('GitHub gets a summary and annotations', async () => {
    const { stdout } = await cli(args, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: at('summary.md') });
    expect(stdout).toMatch(/^::error title=MUST missing-key-is-401::/m);
    // What the target says is no command: the runner takes none until it is told to by a token that nobody knows.
    expect(stdout).toMatch(/^::stop-commands::(\S{20,})\n[\s\S]*\n::\1::\n::notice/);
    expect(await written('summary.md')).toContain('missing-key-is-401');
  });

  it('a run that is stopped at once is incomplete', async () => {
    const { exitCode, stdout } = await cli(args, {}, AbortSignal.abort());
    expect(exitCode).toBe(3);
    expect(stdout).toContain('The run was stopped before its end');
  });
});
