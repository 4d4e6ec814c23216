/** Finds the changes between two contracts. */

import type { Document } from '../generate/document.js';
import type { Contract } from './contract.js';
import { notesIn, operationDifferences, operationsIn, type UsedDifference } from './operations.js';
import { registerDifferences } from './register.js';
import { noteDifferences } from './schemas.js';

type Compared = Pick<Contract, 'document' | 'register'>;

/** A change at one place of the contract. */
export interface Change {
  /** Whether the change breaks callers that follow the older contract. */
  readonly breaking: boolean;
  /** Whether it breaks only callers of generated clients, which have the names of operations and schemas. */
  readonly breaksClients?: true;
  /** Whether the change breaks services that follow the older contract and do nothing else. */
  readonly asksMore: boolean;
  /**
   * A JSON pointer into the newer contract, or into the older one for something that was removed. For a rule or
   * statement: its id.
   */
  readonly pointer: string;
  readonly says: string;
  /** Where it is used: `request of execute`, `answers of getExecution`. */
  readonly uses: readonly string[];
  /** The name of the field or operation, or the value, that was removed. */
  readonly gone?: string;
  /** The name of the field or parameter, or the value, that was added. */
  readonly come?: string;
  /** The operation whose success statuses changed, or those of a caller's mistakes. */
  readonly succeeds?: string;
  readonly fails?: string;
  /** What finds lines that still say what was: an extended regular expression. */
  readonly stale?: string;
  /** Which texts for people changed, or that the type did. */
  readonly words?: 'other' | 'deprecated' | 'type';
}

/**
 * The changes between two contracts. Different schemas that accept the same values are no change. Rules and statements
 * are compared if both contracts have them.
 */
export function changesBetween(before: Compared, after: Compared): Change[] {
  const [old, now] = [before.document, after.document];
  const ids = (document: Document) => [...operationsIn(document).values()].map(({ id }) => id);
  const further = ids(now).filter((id) => !ids(old).includes(id));
  return joined([
    ...operationDifferences(old, now),
    ...aroundOperations(old, now),
    ...(before.register && after.register ? registerDifferences(before.register, after.register, further) : []),
  ]);
}

/** Joins equal changes at the same place, which several operations use. */
function joined(differences: Iterable<UsedDifference>): Change[] {
  const changes = new Map<string, Change>();
  for (const { at: pointer, says, breaks, use, gone, come, succeeds, fails, stale, words } of differences) {
    const key = `${pointer} ${says}`;
    const { breaking = false, asksMore = false, uses = [] } = changes.get(key) ?? {};
    changes.set(key, {
      breaking: breaking || breaks === 'callers',
      asksMore: asksMore || breaks === 'services',
      ...(breaks === 'clients' && { breaksClients: true }),
      pointer,
      says,
      uses: use === undefined || uses.includes(use) ? uses : [...uses, use],
      ...(gone !== undefined && { gone }),
      ...(come !== undefined && { come }),
      ...(succeeds !== undefined && { succeeds }),
      ...(fails !== undefined && { fails }),
      ...(stale !== undefined && { stale }),
      ...(words !== undefined && { words }),
    });
  }
  return [...changes.values()];
}

type Node = Readonly<Record<string, unknown>>;

/** Changes outside of operations: in the document itself, its servers, its keys and the names of its schemas. */
function* aroundOperations(before: Document, after: Document): Generator<UsedDifference> {
  for (const name of Object.keys(before.components.schemas))
    if (!Object.hasOwn(after.components.schemas, name)) {
      const says = `No schema is called ${name} any more, nor is a type of the client.`;
      yield { at: `#/components/schemas/${name}`, says, breaks: 'clients', use: undefined, gone: name };
    }
  const parts = (document: Document): [string, Node, string[]][] => [
    ['#', document as unknown as Node, ['info', 'paths', 'components', 'security']],
    ['#/info', document.info, []],
    ...Object.entries(document.components.securitySchemes).map(([name, scheme]): [string, Node, string[]] => [
      `#/components/securitySchemes/${name}`,
      scheme,
      ['type', 'in', 'name'],
    ]),
  ];
  const old = new Map(parts(before).map(([at, node, without]) => [at, notesIn({ node, at }, without)]));
  for (const [at, node, without] of parts(after))
    for (const difference of noteDifferences(old.get(at) ?? [], notesIn({ node, at }, without)))
      yield { ...difference, use: undefined };
}
