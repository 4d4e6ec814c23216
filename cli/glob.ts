/** Whether an id is matched by a glob; `*` stands for any text, every other character for itself. */
export function matchesGlob(id: string, glob: string): boolean {
  const pattern = glob.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`).test(id);
}
