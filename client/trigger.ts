import type { ApiTriggerContext, TriggerContext } from '../generated/types.js';

/**
 * Whether an execution was triggered by an API key. Comparing `source` does not narrow the type, as other variants have
 * any string there.
 */
export const isApiTrigger = (context: TriggerContext | undefined): context is ApiTriggerContext =>
  context?.source === 'api';
