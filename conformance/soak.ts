/** The soak: after the passes, what costs no execution and changes only scratch copies is sent again until the time is up. */
import type { OperationId } from '../generated/operations.js';
import { disturbanceIn, foreignReplaced } from './engine/outcome/excluded.js';
import { isOutsideContract, mayHaveStarted } from './engine/outcome/outcome.js';
import { startedId, traitsOf } from './engine/outcome/read.js';
import { expectation, mergedViolations, nameOf, stepOf } from './engine/rule/violations.js';
import { quiet } from './engine/send/recorder.js';
import type { SessionOptions } from './engine/send/session.js';
import type { LeftBehind, RuleVerdict, Run, Soak, Violation } from './engine/vocabulary/report.js';
import type { Evidence, Exchange } from './engine/vocabulary.js';
import { type How, type Pass, runPass } from './pass.js';
import { leftBehind } from './suite/hooks.js';
import { Session } from './suite/session.js';
import { soakFacts } from './suite/wanted.js';

interface Soaking extends How {
  readonly ms: number;
  readonly sender: SessionOptions;
  /** Is given each session, so that it can be ended. */
  began(session: Session): void;
}

/**
 * Sends it in rounds. Each is judged by itself, beside what the passes saw of executions. Of its exchanges those are kept
 * that a verdict names.
 */
export async function soak(
  passes: readonly [Pass, ...Pass[]],
  verdicts: readonly RuleVerdict[],
  { ms, sender, progress, runHook, wanted, began }: Soaking,
): Promise<Required<Pick<Run, 'soak' | 'rules' | 'leftBehind' | 'remarks'>> & Pick<Evidence, 'exchanges'>> {
  const [first] = passes;
  const { hooks: _, ...target } = first.session.target;
  const { clock, transport } = sender;
  const from = clock.now();
  const earlier = {
    exchanges: passes.flatMap(({ session }) => session.exchanges.filter(isOfExecution)),
    failedWaits: passes.flatMap(({ session }) => session.failedWaits),
    strange: passes.flatMap(({ session }) => strangeIn(session.exchanges)),
  };
  const before = passes.reduce((sum, { session }) => sum + session.exchanges.length, 0);
  const over = new AbortController();
  /** What was found in all rounds. `why`: what a disturbed one showed alone. */
  let soaked = verdicts.map(
    (rule): RuleVerdict => ({ ...rule, why: '', observations: 0, violations: [], operations: {} }),
  );
  let [shown, left]: [readonly Exchange[], readonly LeftBehind[]] = [[], []];
  let [requests, executionsStarted] = [0, 0];
  let session: Session;
  let pass: Pass;
  void clock.sleep(ms, over.signal).then(() => session.end('The soak is over.'));
  progress.started('soak');
  const step = () => {
    const broken = soaked.filter(({ violations }) => violations.length > 0).length;
    const text = `${Math.round((clock.now() - from) / 1000)} of ${ms / 1000} s: ${requests + session.exchanges.length} requests`;
    progress.step('soak', `${text}, ${broken} rules violated`);
  };
  do {
    session = new Session(
      { ...target, facts: soakFacts(target.facts) },
      {
        ...sender,
        transport: (request) => {
          step();
          return transport({ ...request, newConnection: true });
        },
        before: before + requests,
        copies: first.session.copies.again(),
        earlier: earlier.exchanges,
      },
    );
    began(session);
    pass = await runPass(session, first.selected, { progress: quiet, runHook, wanted, earlier });
    const { exchanges } = session;
    const isDisturbed = disturbanceIn(exchanges) !== undefined;
    soaked = soaked.map((sum, place) => {
      const now = pass.found.rules[place] ?? sum;
      const known = [...sum.violations, ...(verdicts[place]?.violations ?? [])].map(nameOf);
      const isNew = now.violations.some((one) => !known.includes(nameOf(one)));
      return isDisturbed && isNew ? { ...sum, why: now.why } : addedUp(sum, now);
    });
    const named = new Set(
      soaked.flatMap(({ violations }) => violations.flatMap((one) => [...one.exchanges, ...one.others])),
    );
    shown = [...shown, ...exchanges].filter(({ id }) => named.has(id));
    left = [...left, ...leftBehind(pass.evidence).filter(({ id }) => !left.some((one) => one.id === id))];
    const begun = exchanges.filter((one) => startedId(one) !== undefined || mayHaveStarted(one));
    earlier.exchanges.push(...begun);
    earlier.strange = [...earlier.strange, ...strangeIn(exchanges)].slice(-mostStrange);
    executionsStarted += begun.length;
    requests += exchanges.length;
  } while (!session.signal.aborted && pass.ready.usable);
  over.abort();
  const foreign = new Set(foreignReplaced(earlier.strange).map(({ id }) => id));
  soaked = soaked.map((rule) => withoutThose(rule, foreign));
  progress.ended('soak', 'done');
  const why = session.outageReason ?? (pass.ready.usable || session.signal.aborted ? undefined : pass.ready.reason);
  return {
    soak: { durationMs: Math.round(clock.now() - from), requests, executionsStarted, rates: ratesOf(soaked) },
    rules: verdicts.map((rule, place) => withSoak(rule, soaked[place] ?? rule)),
    exchanges: shown,
    leftBehind: left,
    remarks: why === undefined ? [] : [`The soak ended early: ${why}`],
  };
}

/** What is needed beside later readings of an execution, and to count executions. */
function isOfExecution(one: Exchange): boolean {
  const { subject, effect } = traitsOf(one) ?? {};
  return subject === 'execution' || effect === 'starts';
}

/** Answers outside the contract, and what else the same steps were answered. */
function strangeIn(exchanges: readonly Exchange[]): Exchange[] {
  const steps = new Set(exchanges.flatMap((one) => (one.mark && isOutsideContract(one) ? stepOf(one.mark) : [])));
  return exchanges.filter(({ mark }) => mark && steps.has(stepOf(mark)));
}

/** A limit of memory. */
const mostStrange = 5000;

/** Without the violations that only these exchanges show: that they are a gateway's was seen later. */
function withoutThose(rule: RuleVerdict, exchanges: ReadonlySet<number>): RuleVerdict {
  const isTheirs = ({ exchanges: [first = 0], others }: Violation) =>
    [first, ...others].every((id) => exchanges.has(id));
  const gone = rule.violations.find(isTheirs);
  if (!gone) return rule;
  const violations = rule.violations.filter((one) => !isTheirs(one));
  return { ...rule, violations, why: expectation(gone), ...(violations.length === 0 && { operations: {} }) };
}

/** Adds up what was found on a rule. */
function addedUp(a: RuleVerdict, b: RuleVerdict): RuleVerdict {
  const ids = new Set([...Object.keys(a.operations), ...Object.keys(b.operations)] as OperationId[]);
  const sum = (of: 'observations' | 'violations', id: OperationId) =>
    (a.operations[id]?.[of] ?? 0) + (b.operations[id]?.[of] ?? 0);
  return {
    ...a,
    observations: a.observations + b.observations,
    violations: mergedViolations([...a.violations, ...b.violations]),
    operations: Object.fromEntries(
      [...ids].map((id) => [id, { observations: sum('observations', id), violations: sum('violations', id) }]),
    ),
  };
}

/** The verdict of the passes with what the soak showed. */
function withSoak(rule: RuleVerdict, soaked: RuleVerdict): RuleVerdict {
  const [violation] = soaked.violations;
  if (violation === undefined && soaked.why !== '' && rule.verdict === 'passed') {
    const why = `It was violated in the soak while something disturbed the service (${soaked.why}). To judge it, run again when nothing else uses or disturbs the service.`;
    return { ...rule, verdict: 'inconclusive', why };
  }
  if (violation === undefined && rule.verdict !== 'passed' && rule.verdict !== 'violated') return rule;
  const sum = addedUp(rule, soaked);
  const [first] = sum.violations;
  return first ? { ...sum, verdict: 'violated', why: expectation(first), exchanges: first.exchanges } : sum;
}

/** How often each rule was broken on each operation, most often first; then those that were judged most often. */
const ratesOf = (soaked: readonly RuleVerdict[]): Soak['rates'] =>
  soaked
    .flatMap(({ id, operations }) =>
      Object.entries(operations).map(([operation, { observations: of, violations: broken }]) => {
        return { rule: id, operation, broken, of, rate: rounded(broken / of), atMost: rounded(atMost(broken, of)) };
      }),
    )
    .sort((a, b) => b.rate - a.rate || b.of - a.of);

const rounded = (share: number): number => Number(share.toFixed(5));

/** The upper end of the 95 % Wilson score interval of a rate. */
export function atMost(broken: number, of: number): number {
  const [rate, zz] = [broken / of, 1.96 ** 2];
  return (rate + zz / (2 * of) + Math.sqrt(zz * ((rate * (1 - rate)) / of + zz / (4 * of * of)))) / (1 + zz / of);
}
