#!/usr/bin/env node
import { constants } from 'node:os';
import { exitCodes, explain } from './errors.js';
import { run } from './program.js';

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader (`| head`) has seen enough; the verdict still counts.
    if (error.code !== 'EPIPE') throw error;
  });

process.on('uncaughtException', (error) => {
  process.stderr.write(`workflow-contract: ${explain(error, process.env).text}\n`);
  process.exit(exitCodes.bug);
});

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // The second time, the user does not want to wait for an orderly end. 128 and the signal: as a shell would tell it.
    if (interruption.signal.aborted) process.exit(128 + constants.signals[signal]);
    interruption.abort();
  });

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  interrupted: interruption.signal,
  exitCode: exitCodes.ok,
});
