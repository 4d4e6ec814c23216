import { type Case, runCase } from './cases.js';

process.on('message', async (of: Case) => process.send?.(await runCase(of)));
