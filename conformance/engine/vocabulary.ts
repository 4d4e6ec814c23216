/**
 * The vocabulary of the suite. Read this first: each step below turns one of these types into the next.
 *
 *   Target ──send──▶ Exchange ──gather──▶ Evidence ──judge──▶ Finding ──▶ Verdict ──conclude──▶ Report
 */
export type * from './vocabulary/evidence.js';
export type * from './vocabulary/exchange.js';
export type * from './vocabulary/target.js';
export type * from './vocabulary/verdict.js';
