/** Runs the operator's commands before and after a run. They do what the interface has no operation for. */

import { isStopped, isTerminal } from '../../generated/lifecycle.js';
import type { Rule } from '../../generated/rules.js';
import { hasRightKey, isProbe } from '../engine/outcome/mark.js';
import { mayHaveCopied, mayHaveStarted } from '../engine/outcome/outcome.js';
import { accepted, answerBody, isCopyRequest, isId, isStart, status, traitsOf } from '../engine/outcome/read.js';
import { successfulReadings } from '../engine/outcome/readings.js';
import { asText, listOf, sameId } from '../engine/rule/values.js';
import type { RunHook } from '../engine/send/hook.js';
import type { KnownCopy } from '../engine/send/known-copies.js';
import type { Target } from '../engine/send/request-spec.js';
import { allows, declares } from '../engine/settings/needs.js';
import type { LeftBehind, PlannedHook } from '../engine/vocabulary/report.js';
import type { Evidence, Exchange, Facts, Trace } from '../engine/vocabulary.js';
import { isDeclared } from './copies/known.js';
import type { Driver } from './driver.js';
import { queued } from './executions/view.js';
import { deletesPool, updatesProfile } from './operations.js';
import { isItemOfSuite } from './profiles/settings.js';
import type { Hooks } from './target/roles.js';

/** A command, when it is run, and what it is good for. */
interface Use {
  readonly hook: keyof Hooks;
  readonly when: string;
  readonly ends?: LeftBehind['kind'];
  readonly isOfUse: (facts: Facts, rules: readonly Rule[]) => boolean;
}

const needs = (rules: readonly Rule[], name: string): boolean =>
  rules.some((rule) => rule.needs.some((need) => need === name));

const uses: readonly Use[] = [
  {
    hook: 'makePool',
    when: 'before',
    ends: 'deleted pool',
    isOfUse: ({ allow }, rules) => allows(allow, 'delete') && needs(rules, 'pool'),
  },
  {
    hook: 'makeTempFile',
    when: 'before',
    isOfUse: (facts, rules) =>
      allows(facts.allow, 'execute') && declares(facts, 'workflows.completes') && needs(rules, 'tempFile'),
  },
  {
    hook: 'resumeExecution',
    when: 'after, for each execution that has stopped',
    ends: 'execution',
    isOfUse: ({ allow }) => allows(allow, 'execute'),
  },
  {
    hook: 'cancelExecution',
    when: 'after, for each execution that has not ended',
    ends: 'execution',
    isOfUse: ({ allow }) => allows(allow, 'execute'),
  },
  {
    hook: 'deleteCopy',
    when: 'after, for each copy of a profile',
    ends: 'profile',
    isOfUse: ({ allow }) => allows(allow, 'write'),
  },
];

/** The commands that a run for these rules would use. */
export const usedHooks = ({ facts, hooks = {} }: Target, rules: readonly Rule[]): readonly PlannedHook[] =>
  uses.flatMap(({ hook, isOfUse, ...use }) => {
    const command = hooks[hook];
    return command !== undefined && facts.stateful && isOfUse(facts, rules) ? [{ hook, command, ...use }] : [];
  });

/** Adds placeholder ids for what hooks will make. */
export function withMade(target: Target, rules: readonly Rule[]): Target {
  const used = new Set<string>(usedHooks(target, rules).map(({ hook }) => hook));
  const facts = {
    ...target.facts,
    ...(used.has('makePool') && { pool: '00000000-0000-4000-9000-000000000001' }),
    ...(used.has('makeTempFile') && { tempFile: { id: '00000000-0000-4000-9000-000000000002', name: 'made' } }),
  };
  return { ...target, facts };
}

/** How often to read an execution that was cancelled, and how long to pause between readings. */
const looks = 5;
const betweenLooksMs = 1000;
/** The operator changed it, so the answer says nothing about the service. */
const afterCommand = { unjudged: true, excluded: true, evenIfStopping: true } as const;

export class HookRunner {
  /** What failed, in sentences for the report. */
  readonly remarks: string[] = [];
  /** Copies that the command says it deleted were looked at, and were gone. */
  #deletesCopies = false;
  readonly #target: Target;
  readonly #commands: ReadonlyMap<string, string>;
  readonly #run: RunHook;
  #pool: string | undefined;

  constructor(target: Target, rules: readonly Rule[], run: RunHook) {
    this.#target = target;
    this.#commands = new Map(usedHooks(target, rules).map(({ hook, command }) => [hook, command]));
    this.#run = run;
  }

  /** Makes what each run needs anew. What cannot be made counts as not declared. */
  async before(driver: Driver): Promise<Target> {
    const made: { pool?: string; isPoolMade?: true; tempFile?: { id: string; name: string } } = {};
    const pool = await this.#printed(driver, 'makePool', 'Rules that need a pool were not judged.');
    if (pool) {
      made.pool = this.#pool = pool.id;
      made.isPoolMade = true;
    }
    const file = await this.#printed(driver, 'makeTempFile', 'Rules that need a temp file were not judged.');
    if (file && file.name === '') this.#fails('makeTempFile', 'it printed no name after the id');
    else if (file) made.tempFile = file;
    return { ...this.#target, facts: { ...this.#target.facts, ...made } };
  }

  /** Ends executions and deletes copies, if there are commands for that. Returns what is still left behind. */
  async after(driver: Driver, left: readonly LeftBehind[], evidence: Evidence): Promise<readonly LeftBehind[]> {
    const still: LeftBehind[] = [];
    const isUsed = evidence.exchanges.some(
      (one) => deletesPool(one) && accepted(one) && sameId(one.resource, this.#pool),
    );
    if (this.#pool !== undefined && !isUsed)
      this.remarks.push(`The pool ${this.#pool}, which hooks.makePool made, is still there.`);
    // The same thing may be listed twice. Things with unknown ids are all different.
    const isFirst = ({ id }: LeftBehind, place: number) =>
      !isId(id) || left.findIndex((other) => other.id === id) === place;
    // Copies in another organization come last: an update never reaches them, so the others show what the command does.
    const isElsewhere = ({ id }: LeftBehind) => Number(driver.copies.isElsewhere(id));
    const inOrder = left.filter(isFirst).toSorted((a, b) => isElsewhere(a) - isElsewhere(b));
    for (const one of inOrder) if (!(await this.#takenAway(driver, one, evidence))) still.push(one);
    return still;
  }

  async #takenAway(driver: Driver, one: LeftBehind, { traces }: Evidence): Promise<boolean> {
    // The run may use up the pool that was made for it.
    if (one.kind === 'deleted pool') return sameId(one.id, this.#pool);
    if (!isId(one.id)) return false;
    const trace = traces.find(({ executionId }) => executionId === one.id);
    if (one.kind === 'execution')
      return this.#ended(driver, one.id, trace !== undefined && isStopped(lastState(trace)));
    return one.kind === 'profile' && this.#deleted(driver, one.id);
  }

  /** An execution that is resumed ends by itself; one that is cancelled is polled until it has ended. */
  async #ended(driver: Driver, id: string, hasStopped: boolean): Promise<boolean> {
    if (hasStopped && this.#commands.has('resumeExecution'))
      return this.#does(driver, 'resumeExecution', { EXECUTION_ID: id });
    if (!(await this.#does(driver, 'cancelExecution', { EXECUTION_ID: id }))) return false;
    for (let look = 0; look < looks; look += 1) {
      const reading = await driver.send({
        step: 'after-hook',
        operation: 'getExecution',
        id,
        ...afterCommand,
      });
      if (isTerminal(asText(answerBody(reading)?.status ?? ''))) return true;
      await driver.clock.sleep(betweenLooksMs);
    }
    this.#fails('cancelExecution', `the execution ${id} has not ended`);
    return false;
  }

  async #deleted(driver: Driver, id: string): Promise<boolean> {
    if (isDeclared(driver.facts, id)) return false;
    if (!(await this.#does(driver, 'deleteCopy', { PROFILE_ID: id }))) return false;
    const body = driver.scratch.find((one) => one.id === id)?.noop ?? {};
    const ask = { step: 'after-hook', operation: 'updateProfile', body, ...afterCommand } as const;
    const look = await driver.send({ ...ask, id });
    const isGone = status(look) === 404 && (this.#deletesCopies || !driver.copies.isElsewhere(id));
    if (!isGone)
      this.#fails('deleteCopy', `the copy ${id} is still there (an update of it was answered ${status(look)})`);
    else {
      this.#deletesCopies = true;
      await driver.copies.forget(id);
    }
    return isGone;
  }

  async #does(driver: Driver, hook: keyof Hooks, variables: Readonly<Record<string, string>>): Promise<boolean> {
    const command = this.#commands.get(hook);
    if (command === undefined) return false;
    driver.reportProgress(`runs hooks.${hook}`);
    const result = await this.#run(command, { BASE_URL: this.#target.facts.baseUrl, ...variables });
    if ('failed' in result) this.#fails(hook, result.failed);
    return 'printed' in result;
  }

  /** The id that a command printed, and what stood after it. */
  async #printed(driver: Driver, hook: keyof Hooks, without: string) {
    const command = this.#commands.get(hook);
    if (command === undefined) return undefined;
    driver.reportProgress(`runs hooks.${hook}`);
    const result = await this.#run(command, { BASE_URL: this.#target.facts.baseUrl });
    const [, id = '', name = ''] = 'printed' in result ? (/^(\S+)\s*(.*)$/m.exec(result.printed) ?? []) : [];
    if (isId(id)) return { id, name };
    this.#fails(hook, `${'failed' in result ? result.failed : 'it printed no id'}. ${without}`);
    return undefined;
  }

  #fails(hook: keyof Hooks, why: string): void {
    const text = `hooks.${hook} failed: ${why.replace(/\.$/, '')}.`;
    // A failure that repeats is reported once.
    if (!this.remarks.includes(text)) this.remarks.push(text);
  }
}

// Lists what a run leaves behind: executions that it did not see end, and copies, which no operation deletes.

/** The last state of an execution that was seen; empty if none was. */
const lastState = ({ start, otherStarts = [], readings }: Trace): string => {
  const [begun] = [start ?? [], otherStarts].flat();
  return asText(successfulReadings(readings).at(-1)?.execution.status ?? (begun && answerBody(begun)?.status));
};

const noteOf = (said: string): string =>
  said === queued
    ? 'still queued: it will start when capacity frees, after this run has ended'
    : said
      ? `last seen ${said}`
      : 'its status was never seen';

/** Whether a start with the full key was pending when the run was stopped: its execution may go on. */
const wasUnderWay = (exchange: Exchange): boolean =>
  isStart(exchange) && exchange.failure?.kind === 'stopped' && hasRightKey(exchange) && !isProbe(exchange);

/** `earlier`: copies that earlier runs made, and that are still there. */
export function leftBehind({ traces, exchanges }: Evidence, earlier: readonly KnownCopy[] = []): LeftBehind[] {
  const running = traces.flatMap((trace): LeftBehind[] => {
    const state = lastState(trace);
    const wasBegun = trace.start !== undefined || trace.otherStarts !== undefined;
    return !wasBegun || isTerminal(state) ? [] : [{ kind: 'execution', id: trace.executionId, note: noteOf(state) }];
  });
  const unheard = exchanges.flatMap((start): LeftBehind[] => {
    const why = wasUnderWay(start) ? 'that was not answered yet' : mayHaveStarted(start) && 'whose answer was lost';
    const note = `may have been started by a request ${why}`;
    return why ? [{ kind: 'execution', id: `unknown, of ${traitsOf(start)?.subject} ${start.resource}`, note }] : [];
  });
  const copies = exchanges.flatMap((exchange): LeftBehind[] => {
    const made = isCopyRequest(exchange) && accepted(exchange) ? answerBody(exchange) : undefined;
    if (typeof made?.id !== 'string') {
      const note = 'may have been made by a duplication whose answer was lost, with its cookies and credentials';
      return mayHaveCopied(exchange) ? [{ kind: 'profile', id: `unknown, a copy of ${exchange.resource}`, note }] : [];
    }
    const { id } = made;
    const last = exchanges.findLast((one) => updatesProfile(one) && sameId(one.resource, id) && accepted(one));
    const shown = (last && answerBody(last)) ?? made;
    const isFull = [shown.cookies, shown.credentials].some((list) => !listOf(list).every(isItemOfSuite));
    const what = `a copy of ${exchange.resource}${isFull ? ', with its cookies and credentials' : ''}`;
    return [{ kind: 'profile', id, note: what }];
  });
  // Copies come first: they stay for good and may hold secrets, whereas executions end.
  const others = earlier.map(
    ({ id }): LeftBehind => ({ kind: 'profile', id, note: 'a copy that an earlier run made' }),
  );
  return [...copies, ...others, ...running, ...unheard];
}
