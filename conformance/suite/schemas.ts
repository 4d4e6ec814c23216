import document from '../../generated/openapi.json' with { type: 'json' };
import { Schemas } from '../engine/schemas.js';

/** The schemas of the contract. */
export const schemas = new Schemas(document);
