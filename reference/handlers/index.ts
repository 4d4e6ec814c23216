import type { Handlers } from '../../generated/handlers.js';
import type { Service } from '../service.js';
import type { Context } from './context.js';
import { executionHandlers } from './executions.js';
import { profileHandlers } from './profiles.js';
import { startHandlers } from './starts.js';

/** All handlers. If an operation of the contract has none, this does not compile. */
export const createHandlers = (service: Service): Handlers<Context> => ({
  ...startHandlers(service),
  ...executionHandlers(service),
  ...profileHandlers(service),
});
