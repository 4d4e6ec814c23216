/** What a target is, before anything was sent. */
import type { Effect, OperationId } from '../contract.js';

export type { Effect } from '../contract.js';

/**
 * What a target file declares of a target, without its keys: all that a judge may know beside the evidence. The suite adds
 * what it can use, by declaration merging.
 */
export interface Facts {
  /** Without a trailing slash; may carry a path of its own before the interface's. */
  readonly baseUrl: string;
  readonly stateful: boolean;
  readonly allow: Effect;
  /** The operations that the restricted key may not do; absent without such a key. */
  readonly restricted?: { readonly denied: readonly OperationId[] };
  readonly pace: {
    readonly requestsPerSecond: number;
    readonly concurrency: number;
    /** How long to wait for a state. Absent: many times as long as runs were seen to take. */
    readonly patienceSeconds?: number;
    readonly latencyGraceMs: number;
  };
  readonly budget: {
    /** Without it a run starts what its rules take, and nothing that only repeats. */
    readonly executions?: number;
    readonly copies: number;
    /** The most executions that may be under way at once; absent, as many as there is room for. */
    readonly places?: number;
  };
}

/** Keys in clear. Where a second header takes no other, it takes the primary one. */
export interface Keys {
  readonly primary?: string;
  readonly serviceAgents?: string;
  readonly restricted?: { readonly primary: string; readonly serviceAgents?: string };
}

/** A service to hold to the contract: what is declared of it, and what only the sender may know. */
export interface Target {
  readonly facts: Facts;
  readonly keys: Keys;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** What of the headers nobody may read in a report. */
  readonly secrets: readonly string[];
  readonly clientCertificate?: ClientCertificate;
}

/** Files in PEM by which a sender shows who it is, where a gateway asks for it; relative to where the command runs. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly passphrase?: string;
}
