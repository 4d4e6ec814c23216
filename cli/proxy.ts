/** Runs `proxy`. */

import '../conformance/suite/contract.js';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { UserError } from '../common/user-error.js';
import { Live, type Violation } from '../conformance/engine/proxy/live.js';
import { type Front, ownAnswerHeader, type PassedExchange, startFront } from '../conformance/engine/proxy/passing.js';
import { assembleRecording } from '../conformance/engine/recording/report.js';
import { visible } from '../conformance/engine/report/text.js';
import { baseUrlFault } from '../conformance/engine/settings/file.js';
import type { Context } from './context.js';
import { unwritable } from './errors.js';
import { type OutcomeArguments, openOutcome, reportedOptions } from './outcome.js';
import { openOutputs, stdoutName } from './outputs.js';
import { declared } from './recording.js';
import { selectRules } from './selection.js';

export interface ProxyArguments extends OutcomeArguments {
  readonly upstream?: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly record?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly target?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Bytes. */
  readonly remember?: number;
  readonly quiet?: boolean;
}

/** Passes traffic on until it is interrupted, then writes the report. */
export async function runProxy(args: ProxyArguments, context: Context): Promise<void> {
  const { stderr, interrupted, env } = context;
  const upstream = upstreamOf(args.upstream);
  if (isItself(upstream, args.listen))
    throw new UserError(
      `--upstream ${upstream} is where the proxy itself listens; it would pass each request to itself.`,
    );
  const selected = selectRules(args.only, args.skip);
  const facts = declared(upstream, args.target, env);
  const outcome = await openOutcome(args, context, [args.target, args.record]);
  try {
    if (args.record === stdoutName) throw new UserError('--record is a file; standard output is for the report.');
    if (args.record !== undefined)
      for (const output of await openOutputs([args.record], context.stdout, [args.target, args.baseline]))
        await output.close();
    const say = (text: string) => stderr.write(`workflow-contract: ${text}\n`);
    const record = args.record === undefined ? undefined : recordIn(args.record, say);
    const live = new Live({
      facts,
      selected,
      onViolation: (violation) => {
        if (!args.quiet) stderr.write(`${told(violation)}\n`);
      },
      ...(args.remember !== undefined && { openBytes: args.remember }),
      ...(record && { record: record.write }),
    });
    let failure: unknown;
    const judge = (passed: PassedExchange) => {
      if (failure !== undefined) return;
      try {
        live.take(passed);
      } catch (error) {
        // Traffic goes on. The failure is reported at the end.
        failure = error;
      }
    };
    const front = await listening(upstream, args, judge, (failure) => say(`${failure}${unusedProxy(upstream, env)}`));
    const reach = isLoopback(args.listen.host) ? '' : ' IT CAN BE REACHED FROM OTHER MACHINES.';
    outcome.messages.write(
      `The proxy listens on ${front.url} and passes everything on to ${upstream}.${reach}\nCtrl-C ends it and writes the report.\n\n`,
    );
    if (!interrupted.aborted) await once(interrupted, 'abort');
    await front.close();
    if (failure !== undefined) throw failure;
    const run = live.finish();
    const lost = record?.end();
    await outcome.report(run, (conclusion) => assembleRecording(run, conclusion, reportedOptions(args)));
    if (lost) throw lost;
  } finally {
    await outcome.close();
  }
}

/** Appends lines to a file. `end` returns why it was not written to the end. */
function recordIn(name: string, say: (text: string) => void) {
  const file = openSync(name, 'a');
  let lost: UserError | undefined;
  return {
    write(line: string): void {
      // A record with a gap would be judged differently than the traffic.
      if (lost) return;
      try {
        writeSync(file, line);
      } catch (error) {
        lost = unwritable(name, error as NodeJS.ErrnoException);
        say(`${lost.message} The record ends here; judging goes on.`);
      }
    },
    end(): UserError | undefined {
      closeSync(file);
      return lost;
    },
  };
}

/** The address of the service. Throws a UserError, which does not repeat it: it may contain a key. */
function upstreamOf(value: string | undefined): string {
  // Not a required option for commander, which would report it missing before it names a mistyped option.
  if (value === undefined)
    throw new UserError(
      '--upstream is missing: npx workflow-execution-contract proxy --upstream https://staging.example.com.',
    );
  const fault = baseUrlFault(value);
  if (fault) throw new UserError(`--upstream ${fault}`);
  return value.replace(/\/$/, '');
}

async function listening(
  upstream: string,
  args: ProxyArguments,
  judge: (passed: PassedExchange) => void,
  unreached: (failure: string) => void,
): Promise<Front> {
  const { host, port } = args.listen;
  let unreachable = 0;
  try {
    return await startFront(
      {
        upstream,
        ...(args.timeout !== undefined && { timeoutMs: args.timeout }),
        passed: (passed) => {
          const { failure } = passed;
          if (failure?.kind === 'unreachable' && unreachable++ === 0)
            unreached(`${failure.message} Callers get a 502 with ${ownAnswerHeader}.`);
          judge(passed);
        },
      },
      port,
      host,
    );
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE'
        ? 'is in use; choose another one, or 0 for any free port'
        : `cannot be listened on (${code ?? message})`;
    throw new UserError(`${host}:${port} ${reason}.`);
  }
}

/** A hint if a proxy is configured, which other commands use and this one does not. */
function unusedProxy(upstream: string, env: Context['env']): string {
  const name = `${new URL(upstream).protocol.slice(0, -1)}_proxy`;
  const used = [name, name.toUpperCase()].find((one) => env[one]);
  return used ? ` ${used} is not used here: the proxy calls the service itself.` : '';
}

/** Whether the proxy would call itself, as far as addresses show. Port 0 is never the service's. */
function isItself(upstream: string, { host, port }: ProxyArguments['listen']): boolean {
  const { hostname, port: named, protocol } = new URL(upstream);
  const called = hostname.replace(/^\[|\]$/g, '');
  if (port === 0 || Number(named || (protocol === 'https:' ? 443 : 80)) !== port) return false;
  // localhost may be IPv4 or IPv6, and what listens on all addresses is reached by any of them.
  const isName = (one: string) => one === 'localhost' || isEverywhere(one);
  return called === host || (isHere(called) && isHere(host) && (isName(called) || isName(host)));
}

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';
const isHere = (host: string): boolean => isLoopback(host) || isEverywhere(host);
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

const told = ({ rule, level, operation, expected, actual }: Violation): string =>
  `✗ ${level} ${rule}${operation === null ? '' : ` (${operation})`}: expected: ${visible(expected)}; actual: ${visible(actual)}`;
