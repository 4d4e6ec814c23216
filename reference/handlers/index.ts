import type { Handlers } from '../../generated/handlers.js';
import type { Service } from '../service.js';
import type { Context } from './context.js';
import { executionHandlers } from './executions.js';
import { profileHandlers } from './profiles.js';
import { startHandlers } from './starts.js';

/** An operation of the contract that nobody handles does not compile. */
export const createHandlers = (service: Service): Handlers<Context> => ({
  ...startHandlers(service),
  ...executionHandlers(service),
  ...profileHandlers(service),
});
