#!/usr/bin/env node
import nodeModule from 'node:module';
import { constants } from 'node:os';
import { respectDumbTerminal } from './context.js';
import { exitCodes, explain, unwritable } from './errors.js';

/** Why standard output cannot be written. The run goes on nevertheless: it has to empty its copies. */
let unwritten: Error | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // EPIPE: the reader (`| head`) has seen enough. EIO: the terminal is gone. The verdict still counts.
  if (error.code !== 'EPIPE' && error.code !== 'EIO') unwritten ??= unwritable('standard output', error);
});
process.stderr.on('error', () => {});
process.on('exit', (code) => {
  if (!unwritten || code === exitCodes.bug) return;
  process.stderr.write(`workflow-contract: ${unwritten.message}\n`);
  process.exitCode = exitCodes.usage;
});

process.on('uncaughtException', (error) => {
  process.stderr.write(`workflow-contract: ${explain(error, process.env).text}\n`);
  process.exit(exitCodes.bug);
});

/** npm and npx pass on a signal that the terminal has sent already: within this time, it counts as the same one. */
const sameWishMs = 1000;

const interruption = new AbortController();
let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    const at = performance.now();
    if (!first) {
      first = { signal, at };
      return interruption.abort();
    }
    // CI runners cancel with several signals before they kill: another signal does not mean that the user is impatient.
    if (signal !== first.signal || at - first.at < sameWishMs) return;
    // The same signal again: the user does not want to wait. Exit with 128 and the signal, as shells do.
    process.exit(128 + constants.signals[signal]);
  });

// Node 22.8 and later cache compiled code for the next start, of modules that are imported after this call.
(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();
const { run } = await import('./program.js');
process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: respectDumbTerminal(process.stderr, process.env),
  env: process.env,
  interrupted: interruption.signal,
  exitCode: exitCodes.ok,
});
