// Loaded before a command: at its exit a line of standard error tells how much memory the process held at most, in bytes.
import { writeSync } from 'node:fs';

process.once('exit', () => writeSync(2, `${JSON.stringify({ peakBytes: process.resourceUsage().maxRSS * 1024 })}\n`));
