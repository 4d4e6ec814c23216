import document from '../../generated/openapi.json' with { type: 'json' };
import { Schemas } from '../engine/schemas.js';
import type { RequestSpec } from '../engine/send/request-spec.js';

export const schemas = new Schemas(document);

/** A request that is not wrong on purpose, no longer than the contract allows: the suite's values know no bounds. */
export const withinBounds = (ask: RequestSpec): RequestSpec =>
  ask.probe || ask.body === undefined ? ask : { ...ask, body: schemas.withinBounds(ask.operation, ask.body) };
