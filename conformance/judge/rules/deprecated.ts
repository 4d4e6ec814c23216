/** interface: Versioning, deprecated request fields. */
import type { RuleId } from '../../../generated/rules.js';
import { accepted, type Fields, isFields, sent } from '../../evidence/read.js';
import { hasBegun, readings } from '../../evidence/runs.js';
import { contains, sameId, shows } from '../../evidence/values.js';
import type { Exchange, Judge, Trace } from '../../vocabulary.js';
import { excuse, heard, meantToPass } from '../expected.js';
import { broken, kept, unclear } from '../findings.js';
import { shown } from '../words.js';

interface Replacement {
  readonly field: string;
  readonly by: string;
  /** Where an execution shows what the field did. */
  readonly effect: string;
  readonly agrees: (effect: unknown, given: unknown) => boolean;
}

const replacements: readonly Replacement[] = [
  { field: 'agentProfileId', by: 'profileId', effect: 'agentProfileId', agrees: sameId },
  // Which profile of a group is selected is the service's to say.
  { field: 'agentProfilePoolId', by: 'profileGroupId', effect: 'agentProfileId', agrees: () => true },
  { field: 'dynamicData', by: 'inputs', effect: 'inputs', agrees: (e, given) => isFields(given) && contains(e, given) },
];

/** The deprecated fields by which a start asks for what it does not ask for by the fields that replace them. */
const used = (start: Exchange | undefined): Replacement[] => {
  const body: Fields = (start && sent(start)) ?? {};
  return replacements.filter(({ field, by }) => shows(body, field) && !shows(body, by));
};

const isShown = ({ readings: all }: Trace, effect: string) =>
  readings(all).some(({ execution }) => shows(execution, effect));

const begun = ({ readings: all }: Trace) => readings(all).findLast(({ status }) => hasBegun(status));

export const deprecated = {
  'deprecated-fields-still-work': {
    trace(trace) {
      const { start } = trace;
      if (!start || start.mark?.probe) return undefined;
      return used(start).flatMap(({ field, by, effect, agrees }) => {
        const given = sent(start)?.[field];
        const all = readings(trace.readings).filter(({ execution }) => shows(execution, effect));
        const wrong = all.find(({ execution }) => !agrees(execution[effect], given));
        if (!wrong) return all.slice(-1).map(({ exchange }) => kept([start, exchange]));
        return broken(
          [start, wrong.exchange],
          `${field} to do what ${by} does: ${effect} ${shown(given)}`,
          shown(wrong.execution[effect]),
        );
      });
    },
    run({ exchanges, traces }) {
      // Shown by executions that were started with the field of today, it has to be shown by these.
      const lacking = traces.flatMap((trace) =>
        used(trace.start).flatMap(({ field, by, effect }) => {
          const { start } = trace;
          const last = begun(trace);
          if (!start || !last || isShown(trace, effect) || !meantToPass(start)) return [];
          const peer = traces.find(
            (other) => other.start && shows(sent(other.start) ?? {}, by) && isShown(other, effect),
          );
          return peer?.start
            ? broken([start, last.exchange, peer.start], `${field} to do what ${by} does`, `no ${effect}`)
            : [];
        }),
      );
      const refusals = exchanges
        .filter((start) => meantToPass(start) && !accepted(start) && used(start).length > 0)
        .map((start) => {
          const names = used(start);
          const peer = exchanges.find(
            (other) =>
              accepted(other) &&
              other.operation === start.operation &&
              other.resource === start.resource &&
              names.every(({ by }) => shows(sent(other) ?? {}, by)),
          );
          const fields = names.map(({ field }) => field).join(' and ');
          const why = excuse(start);
          return peer && why === undefined
            ? broken([start, peer], `${fields} taken, as the fields that replace them are`, heard(start))
            : unclear(start, why ?? `A start with ${fields} was answered ${heard(start)}, for whatever reason.`);
        });
      return [...lacking, ...refusals];
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;
