import type { OperationId } from '../../../generated/operations.js';
import type { Effect, Facts } from '../../engine/vocabulary.js';
import { secretsOf } from './secrets.js';
import schema from './target.schema.json' with { type: 'json' };

/** Keys in clear. Where the header X-Service-Agents-Api-Key takes no other, it takes the same. */
export interface Keys {
  readonly primary?: string;
  readonly serviceAgents?: string;
  readonly restricted?: { readonly primary: string; readonly serviceAgents?: string };
}

/** What a header carries for whoever may do everything, or for the restricted one. */
export function keyFor(keys: Keys, header: string, who: 'primary' | 'restricted'): string | undefined {
  const own = who === 'primary' ? keys : keys.restricted;
  return (header === 'X-Service-Agents-Api-Key' ? own?.serviceAgents : undefined) ?? own?.primary;
}

export const allKeys = ({ primary, serviceAgents, restricted }: Keys): string[] =>
  [primary, serviceAgents, restricted?.primary, restricted?.serviceAgents].filter((key) => key !== undefined);

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

/** What a target file says, its variables filled in. */
export interface TargetFile extends Partial<Omit<Facts, 'baseUrl' | 'restricted' | 'pace' | 'budget'>> {
  readonly baseUrl: string;
  readonly apiKeys?: {
    readonly primary?: string;
    readonly serviceAgents?: string;
    readonly restricted?: {
      readonly key: string;
      readonly serviceAgents?: string;
      readonly denied: readonly OperationId[];
    };
  };
  readonly headers?: Readonly<Record<string, string>>;
  readonly clientCertificate?: ClientCertificate;
  readonly pace?: Partial<Facts['pace']>;
  readonly budget?: Partial<Facts['budget']>;
  /** For editors. */
  readonly $schema?: string;
}

const { stateful, allow, pace, budget } = schema.properties;

const defaults = {
  stateful: stateful.default,
  allow: allow.default as Effect,
  workflows: {},
  pace: {
    requestsPerSecond: pace.properties.requestsPerSecond.default,
    concurrency: pace.properties.concurrency.default,
    patienceSeconds: pace.properties.patienceSeconds.default,
    latencyGraceMs: pace.properties.latencyGraceMs.default,
  },
  budget: { copies: budget.properties.copies.default },
} as const satisfies Partial<Facts>;

/** The target that a file describes; what it leaves out is as the schema says. Checks nothing. */
export function toTarget({ $schema, apiKeys = {}, headers = {}, clientCertificate, ...file }: TargetFile): Target {
  const { primary, serviceAgents, restricted } = apiKeys;
  return {
    facts: {
      ...defaults,
      ...file,
      baseUrl: file.baseUrl.replace(/\/+$/, ''),
      ...(restricted && { restricted: { denied: restricted.denied } }),
      pace: { ...defaults.pace, ...file.pace },
      budget: { ...defaults.budget, ...file.budget },
    },
    keys: {
      ...(primary !== undefined && { primary }),
      ...(serviceAgents !== undefined && { serviceAgents }),
      ...(restricted && {
        restricted: {
          primary: restricted.key,
          ...(restricted.serviceAgents !== undefined && { serviceAgents: restricted.serviceAgents }),
        },
      }),
    },
    headers,
    secrets: [
      ...secretsOf(headers),
      ...(clientCertificate?.passphrase === undefined ? [] : [clientCertificate.passphrase]),
    ],
    ...(clientCertificate && { clientCertificate }),
  };
}
