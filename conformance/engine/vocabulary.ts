/**
 * The words of the suite. Read this first: everything else in conformance/ turns one of these into the next.
 *
 *   Target ──send──▶ Exchange ──gather──▶ Evidence ──judge──▶ Finding ──▶ Verdict ──conclude──▶ Report
 */
export type * from './vocabulary/evidence.js';
export type * from './vocabulary/exchange.js';
export type * from './vocabulary/report.js';
export type * from './vocabulary/target.js';
export type * from './vocabulary/verdict.js';
