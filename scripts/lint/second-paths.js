/** Fills in what a second path to an operation (`x-operation: {is: …}`) has from that operation. */
export const secondPaths = () => ({
  Root(root, { resolve }) {
    const items = Object.values(root.paths ?? {}).flatMap((item) => resolve(item).node ?? []);
    const all = items.flatMap((item) =>
      Object.entries(item).map(([method, operation]) => ({ item, method, operation })),
    );
    for (const { item, method, operation } of all) {
      const named = operation?.['x-operation']?.is;
      if (named === undefined) continue;
      const { deprecated, ...first } = all.find((one) => one.operation?.operationId === named)?.operation ?? {};
      item[method] = { ...first, ...operation };
    }
  },
});
