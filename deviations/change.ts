/** Building blocks of deviations. */

import { type Fields, isFields } from '../common/values.js';
import { isTerminal } from '../generated/lifecycle.js';
import {
  type Operation,
  type OperationId,
  operationIds,
  operations,
  type PresentField,
} from '../generated/operations.js';
import type { RuleId } from '../generated/rules.js';
import type { AgentProfile, Execution, ExecutionFile } from '../generated/types.js';
import type { Answer, Call } from '../reference/call.js';
import type { Deviation } from '../reference/deviation.js';
import { profileIds, workflowIds } from '../reference/fixtures.js';
import type { Organization, Profile, Run } from '../reference/store.js';

export type Way = Deviation['behaviour'];
export type Base = Parameters<Way>[0];
export { type Fields, isFields };

export const without = (fields: object, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

export const isRefusal = ({ status }: Answer): boolean => status >= 400;

/** The key of a request, in either header. */
export const shownKey = ({ headers }: Call): string | null =>
  headers.get('X-Api-Key') ?? headers.get('X-Service-Agents-Api-Key');

const paths = new Map(
  operationIds.map((id) => {
    const all = [operations[id].path, ...operations[id].otherPaths];
    return [id, new RegExp(`(?:${all.join('|').replaceAll(/\{\w+\}/g, '[^/]+')})$`)];
  }),
);

/** Whether a request is of an operation, whatever its base path. */
export const asks = ({ method, url }: Pick<Request, 'method' | 'url'>, id: OperationId): boolean =>
  method === operations[id].method && paths.get(id)?.test(new URL(url).pathname) === true;

const starts = operationIds.filter((id) => operations[id].effect === 'starts');

/** Whether a request starts an execution. */
export const asksToStart = (request: Pick<Request, 'method' | 'url'>): boolean =>
  starts.some((id) => asks(request, id));

/** Changes what an entry of the service returns, given what it is called with. */
export const changing =
  <K extends keyof Base>(
    entry: K,
    change: (result: ReturnType<Base[K]>, ...given: Parameters<Base[K]>) => ReturnType<Base[K]>,
  ): Way =>
  (base) => {
    const usual = base[entry] as (...given: Parameters<Base[K]>) => ReturnType<Base[K]>;
    return { [entry]: (...given: Parameters<Base[K]>) => change(usual(...given), ...given) };
  };

/** Changes what an entry of the service is given beside its subject, which comes first. */
export const giving =
  <K extends keyof Base>(
    entry: K,
    change: (given: Parameters<Base[K]>[1], subject: Parameters<Base[K]>[0]) => Parameters<Base[K]>[1],
  ): Way =>
  (base) => {
    const usual = base[entry] as (...given: unknown[]) => unknown;
    return {
      [entry]: (subject: never, given: never, ...rest: unknown[]) => usual(subject, change(given, subject), ...rest),
    };
  };

/** Lets an entry of the service fail, given what it is called with. */
export const failing =
  <K extends keyof Base>(entry: K, why: (...given: Parameters<Base[K]>) => Error | false | undefined): Way =>
  (base) => {
    const usual = base[entry] as (...given: Parameters<Base[K]>) => unknown;
    const does = (...given: Parameters<Base[K]>) => {
      const error = why(...given);
      if (error) throw error;
      return usual(...given);
    };
    return { [entry]: does };
  };

/** Changes answers. */
export const answering =
  (change: (answer: Answer, call: Call) => Answer): Way =>
  (base) => ({ answer: (call, answer) => change(base.answer(call, answer), call) });

/** Changes the bodies of an operation's successes. */
export const bodyOf = (operation: OperationId, change: (body: Fields) => unknown): Way =>
  answering((answer, call) =>
    call.operation === operation && answer.status < 300 && isFields(answer.body)
      ? { ...answer, body: change(answer.body) }
      : answer,
  );

/** The rule that is violated if an operation answers with this status: none if the contract lists it. */
export function undocumented(operation: OperationId, status: number): RuleId[] {
  const { responses }: Operation = operations[operation];
  const isListed = [`${status}`, `${Math.floor(status / 100)}XX`, 'default'].some((key) => key in responses);
  return isListed ? [] : ['status-is-documented'];
}

/** Changes the status of a refusal, also in its body. */
export const restated = (answer: Answer, status: number): Answer => {
  const body = isFields(answer.body) ? answer.body : {};
  return { ...answer, status, body: { ...body, code: status, ...('status' in body && { status }) } };
};

/** Changes how executions are shown, possibly into shapes that the contract rules out. */
export const showing = (change: (execution: Execution, run: Run) => object): Way =>
  changing('presentExecution', (execution, run) => change(execution, run) as Execution);

/** Whether an execution is shown as ended. */
export const ended = ({ status }: Execution): boolean => isTerminal(status);

/** Changes how an execution is shown from reading to reading. Only readings after its end are counted. */
export const everyTime =
  (change: (one: Execution, reading: number) => object): Way =>
  (base) => {
    const readings = new Map<string, number>();
    return {
      presentExecution: (run) => {
        const reading = (readings.get(run.id) ?? 0) + (isTerminal(run.status) ? 1 : 0);
        readings.set(run.id, reading);
        return change(base.presentExecution(run), reading) as Execution;
      },
    };
  };

/** The runs of the slow workflow take half a minute. */
export const longRuns: Way = (base) => ({
  stepsOf: (run) => {
    const steps = base.stepsOf(run);
    if (run.workflow.id !== workflowIds.slow) return steps;
    return steps.map((step) => (step.status === 'running' ? { ...step, ms: 30_000 } : step));
  },
});

/** Finds the first run whose start was the same. */
export function firstOfEqual(): (run: Run) => Run {
  const runs = new Map<string, Run>();
  return (run) => {
    const request = JSON.stringify([run.workflow.id, run.start]);
    const first = runs.get(request) ?? run;
    runs.set(request, first);
    return first;
  };
}

/** Changes the listing of an execution's files. */
export const directories = (change: (lists: object) => unknown): Way =>
  bodyOf('listExecutionFiles', (body) => ({
    ...body,
    directories: isFields(body.directories) ? change(body.directories) : body.directories,
  }));

export const eachFile = (change: (file: ExecutionFile) => object) => (lists: object) =>
  Object.fromEntries(
    Object.entries(lists).map(([name, files]: [string, ExecutionFile[]]) => [name, files.map(change)]),
  );

/** Changes how profiles are shown, possibly into shapes that the contract rules out. */
export const showingProfiles = (change: (shown: AgentProfile, profile: Profile) => object): Way =>
  changing('presentProfile', (shown, profile) => change(shown, profile) as AgentProfile);

/** Changes error bodies, possibly into shapes that the contract rules out. */
export const explaining = (kind: 'Standard' | 'Simple', change: (error: Fields, status: number) => object): Way =>
  changing(`present${kind}Error`, (error, { status }) => change({ ...error }, status) as typeof error);

/** Drops a field of request bodies if it is not right, so that the request is accepted. */
export const ignoring =
  (field: string, isRight: (value: unknown) => boolean): Way =>
  (base) => ({
    parseBody: (bytes) => {
      const body = base.parseBody(bytes);
      return isFields(body) && field in body && !isRight(body[field]) ? without(body, field) : body;
    },
  });

/** Accepts invalid values in a field, and stores them as they were sent. */
export const keepingWrong = (field: RegExp): Way =>
  changing('violations', (all) =>
    all.filter(({ kind, parameter }) => kind === 'exclusivity' || !field.test(parameter)),
  );

/** Refuses request bodies of this kind because of a field. */
export const refusing =
  (parameter: string, is: (body: Fields, operation: OperationId) => boolean): Way =>
  (base) => ({
    violations: (operation, body) =>
      isFields(body) && is(body, operation)
        ? [{ kind: 'value', parameter, detail: 'does not go with the rest' }]
        : base.violations(operation, body),
  });

/** Skips the validation of request bodies of this kind. */
export const overlooking =
  (is: (body: Fields, operation: OperationId) => boolean): Way =>
  (base) => ({
    violations: (operation, body) => (isFields(body) && is(body, operation) ? [] : base.violations(operation, body)),
  });

/** Where a start says what happens if there is no room, and what it says; its pairs to find executions by. */
export const ifFull = (body: Fields): unknown => body['onCapacityLimit' satisfies PresentField<'executeSync'>];
export const pairsField = 'metadata' satisfies PresentField<'executeSync'>;

/** The executionOptions of a start. */
export const optionsOf = ({ executionOptions }: Fields): Fields => (isFields(executionOptions) ? executionOptions : {});

/** Whether a start has temp files; has one of these fields; has nothing that a run could use. */
export const hasFiles = ({ tempFiles }: Fields): boolean => Array.isArray(tempFiles) && tempFiles.length > 0;
export const asksFor = (body: Fields, ...fields: readonly string[]): boolean =>
  fields.some((field) => body[field] !== undefined);
export const isBare = (body: Fields): boolean => !asksFor(body, 'inputs', pairsField, 'profileId', 'profileGroupId');

/** Whether a profile is one of the initial ones. */
export const isSeeded = ({ id }: Profile): boolean => [profileIds.profile, profileIds.otherProfile].includes(id);

/** Changes how profiles are copied. */
export const copying = (change: (copy: Profile, source: Profile) => Profile): Way => changing('copyProfile', change);

/** Gives a deviation the source of each copy, by their ids. */
export const knowingSources =
  (way: (sources: ReadonlyMap<string, string>, base: Base) => Partial<Base>): Way =>
  (base) => {
    const sources = new Map<string, string>();
    return {
      copyProfile: (source, ...rest) => {
        const copy = base.copyProfile(source, ...rest);
        sources.set(copy.id, source.id);
        return copy;
      },
      ...way(sources, base),
    };
  };

/** Lets a key update and copy again what it copied into another organization, and applies another deviation on top. */
export const reachingAbroad =
  (way: (base: Base, homeOf: (profile: Pick<Profile, 'id'>) => Organization | undefined) => Partial<Base>): Way =>
  (base) => {
    const homes = new Map<string, Organization>();
    const home = (organization: Organization, id: string) => homes.get(id.toLowerCase()) ?? organization;
    const reaching: Base = {
      ...base,
      storeCopy: (organization, copy, ...rest) => {
        homes.set(copy.id, organization);
        base.storeCopy(organization, copy, ...rest);
      },
      findProfile: (organization, id) => base.findProfile(home(organization, id), id),
      storeProfile: (organization, profile) => base.storeProfile(home(organization, profile.id), profile),
      checkName: (organization, profile) => base.checkName(home(organization, profile.id), profile),
    };
    return { ...reaching, ...way(reaching, ({ id }) => homes.get(id)) };
  };
