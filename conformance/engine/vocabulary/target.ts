/** What is known of a target before anything is sent: facts, keys and headers. */
import type { Effect, OperationId } from '../contract.js';

export type { Effect } from '../contract.js';

/**
 * What a target file declares, without keys: all that a judge may know besides the evidence. The suite adds its own
 * fields by declaration merging.
 */
export interface Facts {
  /** Without a trailing slash. May have a path, which is put before those of the interface. */
  readonly baseUrl: string;
  readonly stateful: boolean;
  readonly allow: Effect;
  /** The options that made the run smaller than the target file: `--gentle`; absent without one. */
  readonly smaller?: readonly string[];
  /** The operations that are denied to the restricted key; absent without such a key. */
  readonly restricted?: { readonly denied: readonly OperationId[] };
  readonly pace: {
    readonly requestsPerSecond: number;
    readonly concurrency: number;
    /** How long to wait for a state. Absent: a multiple of how long executions took so far, or are declared to take. */
    readonly patienceSeconds?: number;
    readonly latencyGraceMs: number;
  };
  readonly budget: {
    /** Absent: as many as the rules need, without the starts that only repeat a check. */
    readonly executions?: number;
    readonly copies: number;
    /** The most executions that may run at once. Absent: as many as the target has room for. */
    readonly places?: number;
  };
}

/** Keys in clear text. A header without a key of its own carries the primary key. */
export interface Keys {
  readonly primary?: string;
  readonly serviceAgents?: string;
  readonly restricted?: { readonly primary: string; readonly serviceAgents?: string };
}

/** A service to check: the declared facts, and the secrets that only the sender may know. */
export interface Target {
  readonly facts: Facts;
  readonly keys: Keys;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values in the headers that no report may show. */
  readonly secrets: readonly string[];
  readonly clientCertificate?: ClientCertificate;
}

/** A client certificate for mutual TLS, as PEM files. Paths are relative to the working directory. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly passphrase?: string;
}
