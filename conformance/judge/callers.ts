/** What the interface asks of those who call it: judged on recordings, never for or against a target. */
import { type Operation, type OperationId, operations } from '../../generated/operations.js';
import type { CallerRuleId } from '../../generated/rules.js';
import { requests } from '../../generated/validators.js';
import { acceptedExecutionId, sent, status } from '../evidence/read.js';
import { sameId } from '../evidence/values.js';
import type { Exchange, Finding, Judge } from '../vocabulary.js';
import { broken, kept, unclear } from './findings.js';
import { type SchemaFault, schemaFaults } from './schema-faults.js';

const gatewayTimeout = 504;

const operationOf = ({ operation }: Exchange): Operation | undefined =>
  operation === null ? undefined : operations[operation];

/** The fields of a request to start an execution. */
const startOf = (exchange: Exchange) =>
  exchange.operation === 'execute' || exchange.operation === 'executeSync' ? sent(exchange) : undefined;

const carriesKey = ({ request }: Exchange, header: string) =>
  Object.keys(request.headers).some((name) => name.toLowerCase() === header.toLowerCase());

/** Broken in each of the ways that were found, by what a caller has in its hand: `head with version`. */
const none = (exchange: Exchange, found: readonly (string | SchemaFault)[], required: string): Finding =>
  found.length === 0
    ? kept(exchange)
    : broken(
        exchange,
        required,
        found.map((one) => (typeof one === 'string' ? { where: '', what: one, says: one } : one)),
      );

export const callerJudges = {
  // interface: Errors rule 6. Seen: a gateway's timeout, and what was sent next of that workflow. Kept where it is a reading
  // of an execution that no other answer has named, broken where it is the same start; otherwise nobody knows.
  'caller-looks-up-after-gateway-timeout': {
    run: ({ exchanges }) =>
      exchanges.flatMap((exchange, place) => {
        if (exchange.operation !== 'executeSync' || status(exchange) !== gatewayTimeout) return [];
        const next = exchanges.find(
          (later, at) => at > place && (isLookUp(later, exchanges.slice(0, at)) || isSameStart(exchange, later)),
        );
        if (!next) return unclear(exchange, 'What became of the execution was not asked in what is recorded.');
        return next.operation === 'getExecution'
          ? kept([exchange, next])
          : broken([exchange, next], 'the execution to be looked up', 'the same start again');
      }),
  },

  // interface: Errors rule 3
  'caller-respects-exclusivity': {
    exchange(exchange) {
      const body = startOf(exchange);
      const pairs = operationOf(exchange)?.exclusive ?? [];
      return (
        body &&
        none(
          exchange,
          pairs.filter((pair) => pair.every((field) => field in body)).map((pair) => pair.join(' with ')),
          'only one of two that exclude each other',
        )
      );
    },
  },

  // interface: Errors rule 4
  'caller-does-not-queue-temp-files': {
    exchange(exchange) {
      const { tempFiles, onCapacityLimit } = startOf(exchange) ?? {};
      if (!Array.isArray(tempFiles) || tempFiles.length === 0) return;
      return onCapacityLimit === 'queue'
        ? broken(exchange, 'temp files not to be queued', 'onCapacityLimit queue')
        : kept(exchange);
    },
  },

  // interface: Limits
  'caller-stays-within-limits': {
    exchange(exchange) {
      const { operation, request } = exchange;
      if (operation === null || !hasBody(operation)) return;
      if (request.body.kind === 'none') return;
      const faults =
        request.body.kind === 'json'
          ? schemaFaults(requests[operation], request.body.value)
          : ['a body that is no JSON'];
      return none(exchange, faults, `a request of ${operation} as its schema says`);
    },
  },

  // interface: POST execute/sync
  'caller-follows-202': {
    run: ({ traces, exchanges }) =>
      traces.flatMap(({ start, readings }) => {
        if (start?.operation !== 'executeSync' || status(start) !== 202) return [];
        const [reading] = readings;
        if (reading) return kept([start, reading]);
        // A recording that ends here does not show what the caller did next.
        return start === exchanges.at(-1)
          ? []
          : broken(start, 'the execution to be read by its id', 'no reading of it');
      }),
  },

  // interface: Versioning
  'caller-avoids-deprecated-fields': {
    exchange(exchange) {
      const body = startOf(exchange);
      const deprecated = operationOf(exchange)?.deprecatedFields ?? [];
      return (
        body &&
        none(
          exchange,
          deprecated.filter((field) => field in body),
          'no deprecated field',
        )
      );
    },
  },

  // interface: Authentication
  'caller-sends-shown-header': {
    exchange(exchange) {
      const shown = operationOf(exchange)?.keyHeader;
      if (shown === undefined) return;
      if (carriesKey(exchange, shown)) return kept(exchange);
      const other = Object.values(operations).find(({ keyHeader }) => carriesKey(exchange, keyHeader));
      return other && broken(exchange, `the key in ${shown}`, `the key in ${other.keyHeader}`);
    },
  },
} satisfies Record<CallerRuleId, Judge>;

/** A reading of an execution that no start was answered with before: one that somebody looks for. */
const isLookUp = ({ operation, resource }: Exchange, earlier: readonly Exchange[]): boolean =>
  operation === 'getExecution' && !earlier.some((one) => sameId(acceptedExecutionId(one), resource));

/** Whether a later start asks for the same, also by the other operation, with another wait or for the queue. */
export const isSameStart = (first: Exchange, later: Exchange): boolean =>
  (later.operation === 'execute' || later.operation === 'executeSync') &&
  sameId(later.resource, first.resource) &&
  JSON.stringify(wish(later)) === JSON.stringify(wish(first));

function wish(start: Exchange): unknown {
  const { timeoutSeconds, onCapacityLimit, metadata, ...rest } = sent(start) ?? {};
  return Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
}

const hasBody = (operation: OperationId): operation is keyof typeof requests => operation in requests;
