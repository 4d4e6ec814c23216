/** The judge of callers, in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { judge } from './judge-callers.js';

parentPort?.postMessage(judge(workerData));
