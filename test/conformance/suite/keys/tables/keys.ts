import type { Exchange } from '../../../../../conformance/engine/vocabulary.js';
import { exchange, ids, type Sketch } from '../../../../support/evidence.js';
import type { Table, Tables } from '../../../../support/judge-table.js';
import { control, probe } from '../../../../support/sketches.js';

const read = (status: number): Sketch => ({ operation: 'getExecution', status, body: { code: status, message: 'm' } });

/** An update that has no name. */
const nameless = (status: number): Sketch => ({
  operation: 'updateProfile',
  sent: { description: 'x' },
  status,
  body: { code: status, message: 'name is required' },
  mark: {},
});

const unauthorized = (rule: 'missing-key-is-401' | 'invalid-key-is-401'): Table => ({
  'violated: a 403': { given: [probe(rule, read(403)), control(read(404))], says: ['401 with a fault', '403'] },
  'ignored: no request with the key': [probe(rule, read(401))],
  'inconclusive: a rate limit': { given: [probe(rule, read(429)), control(read(404))], says: '429' },
  'satisfied: a rate limit for one of many': [probe(rule, read(401)), probe(rule, read(429)), control(read(404))],
  'ignored: a repeated request': [probe(rule, read(200), { excluded: true })],
  'inconclusive: an update that may lack a field, since a service may check that first': {
    given: [probe(rule, nameless(400))],
    says: 'missing name',
  },
});

const header = 'key-is-taken-where-shown';
const list = (status: number): Sketch => ({ ...read(status), operation: 'listExecutionFiles' });
const swapped = (sketch: Sketch): Sketch => ({ ...sketch, mark: { credential: 'swapped' } });
const start = (status: number): Sketch => ({ operation: 'execute', status, body: {} });
/** A request whose key is in the header that the operation is not shown with. */
const inOther = (sketch: Sketch): Exchange => {
  const one = exchange({ ...sketch, mark: { credential: 'primary' } });
  return { ...one, request: { ...one.request, headers: { 'X-Service-Agents-Api-Key': '[redacted]' } } };
};

const permission = 'insufficient-permission-is-403';
const denied = (status: number): Sketch => probe(permission, read(status), { credential: 'restricted' });

const copyElsewhere = (status: number, sent: object = { organizationId: ids.pool }): Sketch =>
  probe(permission, { operation: 'duplicateProfile', sent, status, body: {} }, { credential: 'restricted' });

/** Without a key, and with a token made up. */
const token = (status: number): Sketch => probe('missing-key-is-401', read(status), { credential: 'elsewhere' });

export const keys = {
  'missing-key-is-401': {
    ...unauthorized('missing-key-is-401'),
    'ignored: an update with another missing part': [probe('missing-key-is-401', nameless(400), { unjudged: true })],
    'ignored: a token that an intermediary cannot read': [token(400), token(403), control(read(404))],
  },
  'invalid-key-is-401': {
    ...unauthorized('invalid-key-is-401'),
  },
  [header]: {
    'violated: in the other header only': {
      given: [control(list(401)), swapped(list(404))],
      says: ['X-Api-Key', 'the other header taken'],
    },
    'satisfied, violated: in neither, although another operation accepts it': {
      given: [control(list(401)), swapped(list(401)), control(start(202))],
      says: 'as by execute',
    },
    'violated: in the other header only, reported once for all operations with it': {
      given: [control(list(401)), swapped(list(404)), control(start(401)), swapped(start(202))],
      says: 'taken, by execute, listExecutionFiles',
    },
    'violated: in the other header only, where it is sent from then on': {
      given: [control(list(401)), inOther(list(404))],
      says: 'the other header taken',
    },
    'inconclusive: in neither': { given: [control(list(401)), swapped(list(401))], says: 'in either header' },
    'ignored: no answer of the service': [control(list(429)), swapped(list(404))],
  },
  'insufficient-permission-is-403': {
    'satisfied: a 403 for a made-up id, as with the full key, and a 403 for a real one that the full key may use': [
      control(read(403)),
      denied(403),
      denied(403),
      control(read(200)),
    ],
    'violated: a 404 to a request that the full key may send': [copyElsewhere(404, {}), control(read(200))],
    'satisfied: a 403 to a copy in another organization': [copyElsewhere(403), control(read(200))],
    'ignored: an organization that does not exist for a caller without a part in it': [
      copyElsewhere(404),
      copyElsewhere(400),
      control(read(200)),
    ],
    'violated, satisfied: a success for a real one, as with the full key, and a 403 for another': [
      control(read(404)),
      denied(404),
      denied(200),
      control(read(200)),
      denied(403),
    ],
    'violated: a 404 for a made-up id and for a real one': [control(read(404)), denied(404), denied(404)],
    'inconclusive: a 404 for a made-up id only': {
      given: [control(read(404)), denied(404)],
      says: 'before the permission was checked',
    },
    'inconclusive: a 401, to the full key too': {
      given: [control(read(401)), denied(401), denied(401)],
      says: '401 too',
    },
  },
} satisfies Tables;
