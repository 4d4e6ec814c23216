/**
 * Operations that are made up, each for a trait that an interface need not have. The engine takes what it is told, so its
 * tests ask for these, and not for one that may leave the contract. It is told in every test.
 */
import { contract, describe, type Operation, type OperationId } from '../../conformance/engine/contract.js';
import '../../conformance/suite/contract.js';

const { operations, kinds } = contract();
const thing = {
  ...operations.getExecution,
  path: '/things/{thingId}',
  pathParameters: ['thingId'],
  resource: 'thing',
  subject: 'thing',
  key: null,
  essential: null,
} satisfies Operation;

const madeUp = {
  deleteThing: { ...thing, method: 'DELETE', effect: 'ends' },
  deleteThings: { ...thing, method: 'POST', effect: 'ends', path: '/things', pathParameters: [], subject: null },
  changeThing: { ...thing, method: 'PATCH', effect: 'changes', repeatable: false },
  listThings: { ...thing, path: '/things', pathParameters: [], subject: null },
  copyThing: { ...thing, method: 'POST', effect: 'copies', repeatable: false, resource: kinds.copied, key: 'id' },
} satisfies Readonly<Record<string, Operation>>;

// Not among `operationIds`: nothing is demanded of them, and no address is theirs.
describe({ ...contract(), operations: { ...operations, ...madeUp } });

/** As the engine has them: the compiler knows only the operations of the suite. */
const id = (name: keyof typeof madeUp) => name as string as OperationId;
export const deleteThing = id('deleteThing');
export const deleteThings = id('deleteThings');
export const changeThing = id('changeThing');
export const listThings = id('listThings');
export const copyThing = id('copyThing');
