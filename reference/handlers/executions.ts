import type { Handlers } from '../../generated/handlers.js';
import { found } from '../errors.js';
import type { Service } from '../service.js';
import type { Context } from './context.js';

type ExecutionHandlers = Pick<Handlers<Context>, 'getExecution' | 'listExecutionFiles'>;

/** The operations that read an execution. */
export function executionHandlers({ behaviour, clock }: Service): ExecutionHandlers {
  const find = (operation: keyof ExecutionHandlers, executionId: string, { organization }: Context) =>
    found(behaviour.findRun(organization, executionId), () => behaviour.runNotFound(operation, executionId));

  return {
    async getExecution({ executionId }, context) {
      return { status: 200, body: behaviour.presentExecution(find('getExecution', executionId, context)) };
    },

    async listExecutionFiles({ executionId }, context) {
      const run = find('listExecutionFiles', executionId, context);
      return { status: 200, body: behaviour.presentFiles(run, clock.now(), context.call.origin) };
    },
  };
}
