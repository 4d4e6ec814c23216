import type { ReferenceTarget } from '../reference/index.js';

interface Response {
  content?: unknown;
}
interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { examples?: unknown; example?: unknown }> };
  responses: Record<string, Response>;
}
interface Document {
  paths: Record<string, Record<string, Operation | unknown>>;
  components: { parameters: Record<string, { name: string; example?: unknown }> };
}

/** The success statuses of the reference service where the contract leaves them open. */
const successes: Readonly<Record<string, string>> = { duplicateProfile: '201', deletePool: '204' };
const requests: Readonly<Record<string, unknown>> = {
  execute: {},
  executeSync: { timeoutSeconds: 1 },
  updateProfile: { description: 'Signs in to the portal.' },
  duplicateProfile: {},
};

/** The contract, adapted so that Dredd can use it on this service. */
export function adapted(document: Document, target: ReferenceTarget): Document {
  const ids: Readonly<Record<string, string>> = {
    workflowId: target.workflows.completes,
    executionId: target.execution,
    profileId: target.profile,
    poolId: target.pool,
  };
  for (const parameter of Object.values(document.components.parameters)) parameter.example = ids[parameter.name];
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) if (isOperation(operation)) adapt(operation);
  return document;
}

function adapt({ operationId, requestBody, responses }: Operation): void {
  const media = requestBody?.content['application/json'];
  if (media) {
    delete media.examples;
    media.example = requests[operationId];
  }
  const success = successes[operationId];
  if (success === undefined || !responses['2XX']) return;
  responses[success] = responses['2XX'];
  delete responses['2XX'];
  if (success === '204') delete responses[success].content;
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'operationId' in value;
