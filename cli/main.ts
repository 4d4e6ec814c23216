#!/usr/bin/env node
import nodeModule from 'node:module';
import { constants } from 'node:os';
import { asTold } from './context.js';
import { exitCodes, explain, unwritable } from './errors.js';

/** What keeps standard output from being written. A run goes on to its end all the same: it has to put back what it changed. */
let unwritten: Error | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader (`| head`) has seen enough, or the terminal is gone; the verdict still counts.
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

/** npm and npx pass a signal on that the terminal has sent already; what comes so soon after is the same wish. */
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
    // A runner that cancels sends one signal after the other, and kills only then: there is time until it does.
    if (signal !== first.signal || at - first.at < sameWishMs) return;
    // The second time, the user does not want to wait for an orderly end. 128 and the signal: as a shell would tell it.
    process.exit(128 + constants.signals[signal]);
  });

// Node 22.8 and later keep what they compiled for the next start. Only what is imported from here on profits.
(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();
async function main(): Promise<void> {
  const { run } = await import('./program.js');
  process.exitCode = await run(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: asTold(process.stderr, process.env),
    env: process.env,
    interrupted: interruption.signal,
    exitCode: exitCodes.ok,
  });
}

// Awaited by nobody: what a single executable is made of has no await at its top. What main throws is uncaught, above.
void main();
