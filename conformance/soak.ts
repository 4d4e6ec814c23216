/** The soak: after the passes, what costs no execution and changes only scratch copies is sent again until the time is up. */
import { disturbanceIn, foreignReplaced } from './engine/outcome/excluded.js';
import { isOutsideContract, mayHaveStarted } from './engine/outcome/outcome.js';
import { startedId, traitsOf } from './engine/outcome/read.js';
import { addedUp, expectation, mergedViolations, nameOf, stepOf } from './engine/rule/violations.js';
import { quiet } from './engine/send/recorder.js';
import type { SessionOptions } from './engine/send/session.js';
import type { LeftBehind, RuleVerdict, Run, Violation } from './engine/vocabulary/report.js';
import type { Evidence, Exchange } from './engine/vocabulary.js';
import { type How, type Pass, runPass } from './pass.js';
import { leftBehind } from './suite/hooks.js';
import { Session } from './suite/session.js';
import { wantedFor } from './suite/wanted.js';

interface Soaking extends Omit<How, 'wanted'> {
  readonly ms: number;
  readonly sender: SessionOptions & { readonly signal: AbortSignal };
}

/**
 * Sends it in rounds. Each is judged by itself, beside what the passes saw of executions. Of its exchanges those are kept
 * that a verdict names.
 */
export async function soak(
  passes: readonly [Pass, ...Pass[]],
  verdicts: readonly RuleVerdict[],
  { ms, sender, progress, runHook }: Soaking,
): Promise<Required<Pick<Run, 'soak' | 'rules' | 'leftBehind' | 'remarks'>> & Pick<Evidence, 'exchanges'>> {
  const [{ session: first, selected }] = passes;
  const { hooks: _, ...named } = first.target;
  const { pool: __, isPoolMade: ___, ...facts } = named.facts;
  const target = { ...named, facts: { ...facts, allow: facts.allow === 'delete' ? ('write' as const) : facts.allow } };
  // Starts that must be refused are sent beside earlier ones.
  const wanted: How['wanted'] = (of) =>
    wantedFor({ ...of, budget: { ...of.budget, executions: 0 } }, (rule) => selected.includes(rule));
  const { clock, transport } = sender;
  const from = clock.now();
  const over = new AbortController();
  void clock.sleep(ms, over.signal).then(() => over.abort());
  const signal = AbortSignal.any([over.signal, sender.signal]);
  progress.started('soak');
  const sent = passes.flatMap((one) => one.sent);
  const earlier = sent.filter(isOfExecution);
  let strange = strangeIn(sent);
  /** What was found in all rounds. `why`: what a disturbed one showed alone. */
  let soaked = verdicts.map(
    (rule): RuleVerdict => ({ ...rule, why: '', observations: 0, violations: [], operations: {} }),
  );
  let [shown, left]: [readonly Exchange[], readonly LeftBehind[]] = [[], []];
  let [requests, executionsStarted] = [0, 0];
  let pass: Pass;
  do {
    const broken = soaked.filter(({ violations }) => violations.length > 0).length;
    const session: Session = new Session(target, {
      ...sender,
      signal,
      transport: (request) => {
        const seconds = Math.round((clock.now() - from) / 1000);
        const count = requests + session.exchanges.length;
        progress.step('soak', `${seconds} of ${ms / 1000} s: ${count} requests, ${broken} rules violated`);
        return transport({ ...request, newConnection: true });
      },
      before: sent.length + requests,
      copies: first.copies.again(),
      earlier,
    });
    pass = await runPass(session, selected, { progress: quiet, runHook, wanted, strange });
    const { sent: exchanges } = pass;
    const isDisturbed = disturbanceIn(exchanges) !== undefined;
    soaked = soaked.map((sum, place) => {
      const now = pass.found.rules[place] ?? sum;
      const known = [...sum.violations, ...(verdicts[place]?.violations ?? [])].map(nameOf);
      const isNew = now.violations.some((one) => !known.includes(nameOf(one)));
      return isDisturbed && isNew ? { ...sum, why: now.why } : merged(sum, now);
    });
    const named = new Set(
      soaked.flatMap(({ violations }) => violations.flatMap((one) => [...one.exchanges, ...one.others])),
    );
    shown = [...shown, ...exchanges].filter(({ id }) => named.has(id));
    left = [...left, ...leftBehind(pass.evidence).filter(({ id }) => !left.some((one) => one.id === id))];
    const begun = exchanges.filter((one) => startedId(one) !== undefined || mayHaveStarted(one));
    earlier.push(...begun);
    strange = [...strange, ...strangeIn(exchanges)].slice(-mostStrange);
    executionsStarted += begun.length;
    requests += exchanges.length;
  } while (!signal.aborted && pass.ready.usable);
  const why = pass.session.outageReason ?? (pass.ready.usable || signal.aborted ? undefined : pass.ready.reason);
  over.abort();
  const foreign = new Set(foreignReplaced(strange).map(({ id }) => id));
  soaked = soaked.map((rule) => withoutThose(rule, foreign));
  progress.ended('soak', 'done');
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

function merged(rule: RuleVerdict, more: RuleVerdict): RuleVerdict {
  const { violations, ...sum } = addedUp([rule, more]);
  return { ...rule, ...sum, violations: mergedViolations(violations) };
}

/** The verdict of the passes with what the soak showed. */
function withSoak(rule: RuleVerdict, soaked: RuleVerdict): RuleVerdict {
  const [violation] = soaked.violations;
  if (violation === undefined && soaked.why !== '' && rule.verdict === 'passed') {
    const why = `It was violated in the soak while something disturbed the service (${soaked.why}). To judge it, run again when nothing else uses or disturbs the service.`;
    return { ...rule, verdict: 'inconclusive', why };
  }
  if (violation === undefined && rule.verdict !== 'passed' && rule.verdict !== 'violated') return rule;
  const sum = merged(rule, soaked);
  const [first] = sum.violations;
  return first ? { ...sum, verdict: 'violated', why: expectation(first), exchanges: first.exchanges } : sum;
}

/** How often each rule was violated on each operation, most often first; then those that were judged most often. */
const ratesOf = (soaked: readonly RuleVerdict[]): NonNullable<Run['soak']>['rates'] =>
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
