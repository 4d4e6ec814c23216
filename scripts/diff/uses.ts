import type { Document } from '../generate/document.js';

/** Whether callers send it or services answer with it. */
export type Use = 'request' | 'response';

/** Tells of a JSON pointer into a bundled contract how that place is used, directly or by reference. */
export function usesOf(document: Document): (pointer: string) => Use[] {
  const components = new Map<string, Set<Use>>();
  const visit = (node: unknown, use: Use): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === 'string' && !components.get($ref)?.has(use)) {
      components.set($ref, (components.get($ref) ?? new Set()).add(use));
      const [section = '', name = ''] = $ref.split('/').slice(2);
      visit(document.components[section]?.[name], use);
    }
    for (const child of Object.values(node)) visit(child, use);
  };
  for (const [name, part] of Object.values(document.paths).flatMap(partsOf))
    visit(part, name === 'responses' ? 'response' : 'request');

  return (pointer) => {
    const component = /^#\/components\/[^/]+\/[^/]+/.exec(pointer)?.[0];
    if (component) return [...(components.get(component) ?? [])];
    if (/\/responses(?:\/|$)/.test(pointer)) return ['response'];
    return /\/(?:requestBody|parameters)(?:\/|$)/.test(pointer) ? ['request'] : [];
  };
}

/** What callers send and what services answer, of every operation of a path. */
function partsOf(item: Document['paths'][string]): [string, unknown][] {
  const { parameters, ...operations } = item;
  const parts = Object.values(operations).flatMap((operation) => Object.entries(operation));
  return [['parameters', parameters], ...parts.filter(([name]) => /^(?:parameters|requestBody|responses)$/.test(name))];
}
