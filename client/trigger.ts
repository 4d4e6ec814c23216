import type { ApiTriggerContext, TriggerContext } from '../generated/types.js';

/** Whether an execution was triggered by an API key. `source === 'api'` alone does not narrow: any string may be `api`. */
export const isApiTrigger = (context: TriggerContext | undefined): context is ApiTriggerContext =>
  context?.source === 'api';
