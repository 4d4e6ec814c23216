import type { Handlers } from '../../generated/handlers.js';
import { found } from '../errors.js';
import type { Service } from '../service.js';
import type { Context } from './context.js';

const ok = <T>(body: T) => ({ status: 200, body }) as const;

/** The operations that read an execution. */
export function executionHandlers({ behaviour, clock }: Service) {
  const find = ({ organization, call }: Context) =>
    found(behaviour.findRun(organization, call.id), () => behaviour.runNotFound(call.operation, call.id));

  return {
    getExecution: async (_, context) => ok(behaviour.presentExecution(find(context))),
    listExecutionFiles: async (_, context) =>
      ok(behaviour.presentFiles(find(context), clock.now(), context.call.origin)),
  } satisfies Partial<Handlers<Context>>;
}
