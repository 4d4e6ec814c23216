import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of the contract's folders that nothing leads to from the root document. */
export function unusedFiles(sources: string): string[] {
  const used = new Set<string>();
  const visit = (file: string): void => {
    if (used.has(file)) return;
    used.add(file);
    for (const [named] of readFileSync(join(sources, file), 'utf8').matchAll(/[\w./-]+\.yaml\b/g)) {
      const other = join(file, '..', named);
      if (all.has(other)) visit(other);
    }
  };
  const all = new Set(
    readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => /[/\\].*\.yaml$/.test(name)),
  );
  visit('openapi.yaml');
  return [...all].filter((file) => !used.has(file) && !file.startsWith('arazzo')).sort();
}
