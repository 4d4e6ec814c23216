import { operations } from '../generated/operations.js';
import { type Rule, type RuleId, rules } from '../generated/rules.js';
import { Driver } from './drive/driver.js';
import { journeys } from './drive/journeys/index.js';
import { preflight } from './drive/preflight.js';
import { quiet } from './drive/progress.js';
import { rehearsal } from './drive/rehearsal.js';
import { possible, runJourneys } from './drive/schedule.js';
import { Session } from './drive/session.js';
import { sweep } from './drive/sweep.js';
import { gather } from './evidence/evidence.js';
import { leftBehind } from './evidence/left-behind.js';
import { accepted } from './evidence/read.js';
import { unmet } from './judge/needs.js';
import type { Target } from './settings/target/target.js';
import type { Effect, Exchange, Facts } from './vocabulary.js';

export interface PlannedStep {
  readonly step: string;
  readonly operation: string;
  readonly method: string;
  /** Ids that the target file does not name are not known before the run: `/agents/v2/executions/{executionId}`. */
  readonly path: string;
  /** How often; a step that repeats until a state shows is sent at least this often. */
  readonly times: number;
  readonly repeats: boolean;
}

/** What a run would send, and what it would leave untested. */
export interface Plan {
  readonly journeys: readonly {
    readonly id: string;
    readonly effect: Effect;
    readonly steps: readonly PlannedStep[];
  }[];
  /** Without the readings that repeat until a state shows. */
  readonly requests: number;
  readonly executions: number;
  readonly duplicates: number;
  readonly leavesBehind: readonly string[];
  readonly untested: readonly { readonly rule: RuleId; readonly why: string }[];
}

const polls = ['read', 'list'];

const uuids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** The path of a rehearsed request, with the ids that the real one will have. */
function plannedPath({ operation, request: { url } }: Exchange, facts: Facts, declared: string): string {
  const name = /\{\w+\}/.exec(operation ? operations[operation].path : '')?.[0] ?? '{id}';
  return url.slice(facts.baseUrl.length).replace(uuids, (id) => (declared.includes(id.toLowerCase()) ? id : name));
}

/** Runs the journeys against a target that is only acted: the plan is what was said. Sends nothing. */
export async function plan(target: Target, selected: (rule: Rule) => boolean = () => true): Promise<Plan> {
  const facts = { ...target.facts, pace: { ...target.facts.pace, requestsPerSecond: 1e9 } };
  const session = new Session({ ...target, facts }, rehearsal(facts));
  await preflight(new Driver(session, 'preflight', quiet));
  const chosen = possible(journeys, facts);
  const { drivers } = await runJourneys(chosen, session, quiet);
  await sweep(new Driver(session, 'sweep', quiet), session.started, session.exchanges);
  const evidence = gather(session.exchanges);
  const once = session.exchanges.filter(({ mark }) => mark && !polls.includes(mark.step));
  const declared = JSON.stringify(target.facts).toLowerCase();
  const effectOf = new Map<string, Effect>([
    ['preflight', 'read'],
    ...chosen.map(({ id, effect }) => [id, effect] as const),
    // The last look reads by what else the run may do: a profile by an update that changes nothing.
    ...(chosen.length > 0 ? [['sweep', facts.allow] as const] : []),
  ]);
  return {
    journeys: [...effectOf].map(([id, effect]) => {
      const counted = new Map<string, PlannedStep>();
      for (const exchange of session.exchanges) {
        const { mark, operation, request } = exchange;
        if (mark?.journey !== id) continue;
        const { method } = request;
        const path = plannedPath(exchange, facts, declared);
        const key = `${mark.step} ${method} ${path}`;
        const times = (counted.get(key)?.times ?? 0) + 1;
        const repeats = polls.includes(mark.step);
        counted.set(key, { step: mark.step, operation: operation ?? 'no operation', method, path, times, repeats });
      }
      return { id, effect, steps: [...counted.values()] };
    }),
    requests: once.length,
    executions: facts.stateful ? session.started.size : 0,
    duplicates: session.exchanges.filter((one) => one.operation === 'duplicateProfile' && accepted(one)).length,
    leavesBehind: facts.stateful
      ? [...leftBehind(evidence), ...drivers.flatMap((driver) => driver.leftBehind)].map(
          ({ kind, note }) => `${kind}: ${note}`,
        )
      : [],
    untested: rules.filter(selected).flatMap((rule: Rule) => {
      if (!facts.stateful && !rule.stateless) return [{ rule: rule.id, why: 'The target keeps no state.' }];
      const why = unmet(rule, facts);
      return why ? [{ rule: rule.id, why }] : [];
    }),
  };
}
