import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

/** Every `x-gap` must name gaps of the register beside the root document. */
export function knownGaps() {
  const known = new Set();
  return {
    Root(_root, { location }) {
      const register = parse(readFileSync(join(dirname(location.source.absoluteRef), 'rules.yaml'), 'utf8'));
      for (const { id } of register.gaps) known.add(id);
    },
    any(node, { location, report }) {
      for (const id of [node?.['x-gap'] ?? []].flat())
        if (!known.has(id))
          report({ message: `rules.yaml has no gap called \`${id}\`.`, location: location.child('x-gap') });
    },
  };
}
