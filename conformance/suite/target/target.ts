import type { OperationId } from '../../../generated/operations.js';
import type { ClientCertificate, Effect, Facts, Keys, Target } from '../../engine/vocabulary.js';
import { secretsOf } from './secrets.js';
import schema from './target.schema.json' with { type: 'json' };

/** What a header carries for whoever may do everything, or for the restricted one. */
export function keyFor(keys: Keys, header: string, who: 'primary' | 'restricted'): string | undefined {
  const own = who === 'primary' ? keys : keys.restricted;
  return (header === 'X-Service-Agents-Api-Key' ? own?.serviceAgents : undefined) ?? own?.primary;
}

export const allKeys = ({ primary, serviceAgents, restricted }: Keys): string[] =>
  [primary, serviceAgents, restricted?.primary, restricted?.serviceAgents].filter((key) => key !== undefined);

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

/** What is known of a target that nobody declared. */
export const unknownTarget: Facts = toTarget({ baseUrl: '' }).facts;
