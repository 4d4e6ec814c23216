import type { Handlers } from '../../generated/handlers.js';
import { found } from '../errors.js';
import type { Service } from '../service.js';
import type { Context } from './context.js';

const ok = <T>(body: T) => ({ status: 200, body }) as const;

/** The operations that read an execution. */
export function executionHandlers({ behaviour, clock }: Service) {
  const find = (executionId: string, { organization, call }: Context) =>
    found(behaviour.findRun(organization, executionId), () => behaviour.runNotFound(call.operation, executionId));

  return {
    getExecution: async ({ executionId }, context) => ok(behaviour.presentExecution(find(executionId, context))),
    listExecutionFiles: async ({ executionId }, context) =>
      ok(behaviour.presentFiles(find(executionId, context), clock.now(), context.call.origin)),
  } satisfies Partial<Handlers<Context>>;
}
