/** interface: Execution. The identity of an execution does not change. */

import { isUuid } from '../../../../common/values.js';
import { hasRightKey, isOfRun, isProbe, keyOf } from '../../../engine/outcome/mark.js';
import { type Fields, isFields, objectIn } from '../../../engine/outcome/read.js';
import { isGone, type Reading, readings } from '../../../engine/outcome/readings.js';
import { isAfterReplicaLag } from '../../../engine/outcome/when.js';
import { combined, satisfied, violated } from '../../../engine/rule/findings.js';
import { sameInstant } from '../../../engine/rule/times.js';
import { byKey, equal, jsonText, sameId, withFirst } from '../../../engine/rule/values.js';
import type { Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { ownFiles } from '../../files/view.js';

const identity = ['id', 'agentId', 'organizationId', 'workflowId', 'createdAt'] as const;

const same = (field: (typeof identity)[number], a: unknown, b: unknown): boolean =>
  field.endsWith('At') ? sameInstant(a, b) : (a ?? b ?? undefined) === undefined || sameId(a, b);

export const identities = {
  /**
   * Judges two readings of an execution. Passes if ids and createdAt are the same in both, and so are profile,
   * trigger and storage key if shown. Also fails if a file that it wrote names another agent, or if executions of
   * one workflow that were started with one key belong to several organizations.
   */
  'identity-is-constant': combined(
    { trace: otherIdentity },
    { trace: otherProfile },
    { trace: ofAnotherAgent },
    { trace: (trace) => unsettled(readings(trace.readings)) },
    { run: ({ traces }) => ofSeveralOrganizations(traces) },
    { trace: namesInTurn },
  ),
} satisfies Judges;

/** Compares each reading with the first. */
function otherIdentity({ readings: all }: Trace): Finding[] {
  return withFirst(readings(all)).map(([{ exchange, execution }, first]) => {
    const both = [exchange, first.exchange];
    const changed = identity.find((field) => !same(field, first.execution[field], execution[field]));
    return changed === undefined
      ? satisfied(both)
      : violated(both, `${changed} ${jsonText(first.execution[changed])}, as before`, jsonText(execution[changed]));
  });
}

/** Finds another profile than the one that was shown first. */
function otherProfile({ readings: all }: Trace): Finding[] {
  const showing = readings(all).flatMap(({ exchange, execution: { agentProfileId: id } }) =>
    isUuid(id) ? { exchange, id } : [],
  );
  return withFirst(showing).flatMap(([one, first]) =>
    sameId(one.id, first.id)
      ? []
      : violated([one.exchange, first.exchange], `agentProfileId ${jsonText(first.id)}, as before`, jsonText(one.id)),
  );
}

/** Finds an execution in another organization than an earlier one of the same workflow and key. */
function ofSeveralOrganizations(traces: readonly Trace[]): Finding[] {
  const ours = traces.flatMap(({ start, readings: all }) => {
    const [reading] = readings(all);
    if (!start?.resource || !hasRightKey(start) || isProbe(start) || !reading) return [];
    return { workflow: start.resource, exchange: reading.exchange, id: reading.execution.organizationId };
  });
  const pairs = [...byKey(ours, ({ workflow }) => workflow).values()].flatMap(withFirst);
  return pairs.flatMap(([one, first]) =>
    isUuid(first.id) && isUuid(one.id) && !sameId(first.id, one.id)
      ? violated(
          [one.exchange, first.exchange],
          `organizationId ${first.id}, as of another execution of the workflow`,
          jsonText(one.id),
        )
      : [],
  );
}

/**
 * Finds readings of one execution with two names of its agent in turn, for longer than a replica may be behind with a new
 * name. Another execution may show the name that the agent had when it was started.
 */
function namesInTurn({ readings: all }: Trace): Finding | undefined {
  const own = readings(all).filter(({ exchange }) => isOfRun(exchange));
  const changes = own.filter((one, place) => nameIn(one) !== nameIn(own[place - 1]));
  const [[, other], last] = [changes, changes.at(-1)];
  const names = new Set(changes.map(nameIn));
  // Whoever renames it twice does not do so again.
  if (changes.length <= names.size + 1 || !other || !last) return undefined;
  return isAfterReplicaLag(last.exchange, other.exchange)
    ? violated(
        [last.exchange, other.exchange],
        'one agentName at a time',
        [...names].map(jsonText).join(', in turn with '),
      )
    : undefined;
}

const nameIn = (reading: Reading | undefined): unknown => reading?.execution.agentName;

/** Finds a file that the execution wrote, and that names another agent. */
function ofAnotherAgent({ readings: all, listings }: Trace): Finding | undefined {
  const [first] = readings(all);
  const agentId = first?.execution.agentId;
  for (const listing of listings) {
    const strange = ownFiles(listing).find((file) => isUuid(file.agentId) && !sameId(file.agentId, agentId));
    if (first && strange && isUuid(agentId))
      return violated(
        [listing, first.exchange],
        `files with agentId ${agentId}, as the execution`,
        jsonText(strange.agentId),
      );
  }
  return undefined;
}

/** Something that later readings must show too, once a reading shows it. */
interface Settled {
  readonly name: string;
  readonly of: (execution: Fields) => unknown;
  readonly same: (was: unknown, now: unknown) => boolean;
}

const runner = (execution: Fields) => objectIn(objectIn(execution, 'triggerContext'), 'runner');

/** Which key is named, trigger-is-api judges. Name and rights of the user may change. */
const settled: readonly Settled[] = [
  { name: 'triggerContext', of: ({ triggerContext }) => triggerContext, same: (_, now) => isFields(now) },
  {
    name: 'triggerContext.runner',
    of: (execution) => objectIn(execution, 'triggerContext').runner,
    same: (_, now) => isFields(now),
  },
  { name: 'triggerContext.runner.userId', of: (execution) => runner(execution).userId, same: sameId },
  {
    name: 'sharedStorageKey',
    of: (execution) => objectIn(execution, 'executionOptions').sharedStorageKey,
    same: equal,
  },
];

/** Finds the first thing that is gone or different later. Compared by key: what a key may not see is not gone. */
function unsettled(all: readonly Reading[]): Finding | undefined {
  for (const seen of byKey(all, ({ exchange }) => keyOf(exchange)).values()) {
    for (const { name, of, same } of settled) {
      const first = seen.find(({ execution }) => (of(execution) ?? undefined) !== undefined);
      if (!first) continue;
      const was = of(first.execution);
      const isOther = ({ execution }: Reading) => !same(was, of(execution));
      const changed = seen.find((one) => isGone(first, one, seen.at(-1), isOther));
      if (changed)
        return violated(
          [changed.exchange, first.exchange],
          `${name} ${jsonText(was)}, as before`,
          jsonText(of(changed.execution)),
        );
    }
  }
  return undefined;
}
