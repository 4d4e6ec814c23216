import document from '../../generated/openapi.json' with { type: 'json' };
import { Schemas } from '../engine/schemas.js';

export const schemas = new Schemas(document);
