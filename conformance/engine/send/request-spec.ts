import type { GapId, OperationId } from '../contract.js';
import type { Credential, Exchange, Facts, Probe, Standing } from '../vocabulary.js';

/** A request as a scenario asks for it. */
export interface RequestSpec {
  readonly step: string;
  readonly operation: OperationId;
  /** The id in the path; empty where it has none. */
  readonly id: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body as raw text, with its media type. Takes precedence over `body`. */
  readonly raw?: { readonly text: string; readonly type: string };
  /** A method other than the operation's: then the request belongs to no operation. */
  readonly method?: string;
  readonly credential?: Credential;
  readonly probe?: Probe;
  readonly observes?: readonly GapId[];
  readonly timeoutMs?: number;
  /** Return a 429 as the answer, do not wait and retry. */
  readonly mayBeOverLimit?: boolean;
  /** Send it before all waiting requests: what it is to observe does not last. */
  readonly beforeOthers?: boolean;
  /** Send it at once with others, without the spacing between requests. */
  readonly withoutSpacing?: boolean;
  /** A 429 without Retry-After may be a limit of capacity: return it, the caller handles it. */
  readonly mayBeAtCapacity?: boolean;
  /** A correct service starts nothing for this request, whatever else is expected of its answer. */
  readonly startsNothing?: boolean;
  /** Hold its answer only to what every answer must be. */
  readonly unjudged?: boolean;
  /** Do not judge its answer. */
  readonly excluded?: boolean;
  /** The standing of an answer that is no success. A refusal is then no reason to retry. */
  readonly ifRefused?: Standing;
  /** The requests in whose place it is sent, since their answers tell nothing of the service: these are not judged. */
  readonly replaces?: readonly Exchange[];
  /** The starts that it repeats: see `Mark`. */
  readonly repeats?: readonly Exchange[];
  /** Use a new connection even though a retry would do no harm. */
  readonly newConnection?: boolean;
  /** Nothing has this id. Whether a success without a body came from the service is checked by a reading. */
  readonly hasMadeUpId?: boolean;
  /** Send it even while the run is being stopped, to undo a change. */
  readonly evenIfStopping?: boolean;
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
