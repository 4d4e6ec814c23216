/** A thread that judges some histories of a recording. */
import '../suite/contract.js';
import { parentPort, workerData } from 'node:worker_threads';
import { serve } from '../engine/recording/serving.js';
import type { Brief } from '../engine/recording/taker.js';

if (parentPort) serve(parentPort, workerData as Brief);
