/** A thread that judges some histories of a recording. */
import { parentPort, workerData } from 'node:worker_threads';
import { serve } from './serving.js';
import type { Brief } from './taker.js';

if (parentPort) serve(parentPort, workerData as Brief);
