/** The thread that judges the proxy's traffic, so that no request waits for it. */
import '../suite/contract.js';
import { closeSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ToMain, ToWorker } from '../engine/proxy/judge-thread.js';
import { Live, type LiveOptions } from '../engine/proxy/live.js';

const { options, record } = workerData as { options: LiveOptions; record?: string };
const say = (message: ToMain) => parentPort?.postMessage(message);
const file = record === undefined ? undefined : openSync(record, 'a');
let isWritable = file !== undefined;
const write = (line: string): void => {
  if (file === undefined || !isWritable) return;
  try {
    writeSync(file, line);
  } catch (error) {
    // A record with a gap would be judged differently than the traffic.
    isWritable = false;
    const { code, message } = error as NodeJS.ErrnoException;
    say({ kind: 'unwritable', error: { ...(code !== undefined && { code }), message } });
  }
};
const live = new Live(options, (violation) => say({ kind: 'violation', violation }), write);

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'passed') {
    live.take(message.passed);
    say({ kind: 'taken', bytes: message.bytes });
  } else if (message.kind === 'leave-out') live.leaveOut(message.history, message.baseUrl);
  else {
    say({ kind: 'run', run: live.finish() });
    if (file !== undefined) closeSync(file);
    parentPort?.close();
  }
});
