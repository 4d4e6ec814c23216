import type { Document } from '../generate/document.js';
import type { Contract } from './contract.js';
import { notesIn, operationDifferences, type UsedDifference } from './operations.js';
import { registerDifferences } from './register.js';
import { noteDifferences } from './schemas.js';

/** What changed at one place of the contract. */
export interface Change {
  /** Whether callers who keep to the older contract break. */
  readonly breaking: boolean;
  /** Whether services that keep to the older contract, and to nothing else, break. */
  readonly asksMore: boolean;
  /** A JSON pointer into the bundled contract: the new one, or the old one for what is gone. Of a rule or statement, its id. */
  readonly pointer: string;
  readonly says: string;
  /** Who sends or reads what changed: `request of execute`, `answers of getExecution`. */
  readonly uses: readonly string[];
  /** The name of a field or an operation, or the value, that the contract had and has no more. */
  readonly gone?: string;
  /** The name of a field or a parameter, or the value, that the contract did not have. */
  readonly come?: string;
  /** The operation that has other successes now. */
  readonly succeeds?: string;
  /** What people read changed. */
  readonly words?: 'other' | 'deprecated';
}

/**
 * What changed from one contract to another. What says the same in other words is no change. Rules and statements are
 * compared where both contracts have them.
 */
export function changesBetween(before: Contract, after: Contract): Change[] {
  const [old, now] = [before.document, after.document];
  return joined([
    ...operationDifferences(old, now),
    ...aroundOperations(old, now),
    ...(before.register && after.register ? registerDifferences(before.register, after.register) : []),
  ]);
}

/** A change of what several operations use is one change. */
function joined(differences: Iterable<UsedDifference>): Change[] {
  const changes = new Map<string, Change>();
  for (const { at: pointer, says, breaks, use, gone, come, succeeds, words } of differences) {
    const key = `${pointer} ${says}`;
    const { breaking = false, asksMore = false, uses = [] } = changes.get(key) ?? {};
    changes.set(key, {
      breaking: breaking || breaks === 'callers',
      asksMore: asksMore || breaks === 'services',
      pointer,
      says,
      uses: use === undefined || uses.includes(use) ? uses : [...uses, use],
      ...(gone !== undefined && { gone }),
      ...(come !== undefined && { come }),
      ...(succeeds !== undefined && { succeeds }),
      ...(words !== undefined && { words }),
    });
  }
  return [...changes.values()];
}

type Node = Readonly<Record<string, unknown>>;

/** What a contract says beside its operations: of itself, its servers, its keys and the names of its schemas. */
function* aroundOperations(before: Document, after: Document): Generator<UsedDifference> {
  for (const name of Object.keys(before.components.schemas))
    if (!Object.hasOwn(after.components.schemas, name)) {
      const says = `No schema is called ${name} any more, nor is a type of the client.`;
      yield { at: `#/components/schemas/${name}`, says, breaks: undefined, use: undefined };
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
