/** The import of what type expressions name from types.ts. */
export function typeImports(types: (string | undefined)[], ...also: string[]): string {
  const names = types.flatMap((type) =>
    type?.includes("operations['") ? ['operations'] : type && type !== 'unknown' ? [type] : [],
  );
  return `import type { ${[...new Set([...also, ...names])].sort().join(', ')} } from './types.js';\n`;
}
