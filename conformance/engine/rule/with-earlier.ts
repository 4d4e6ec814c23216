/** Each of a list beside the first of those before it that is like it; those that have none such are left out. */
export const withEarlier = <Item>(
  all: readonly Item[],
  isLike: (earlier: Item, one: Item) => boolean,
): (readonly [one: Item, earlier: Item])[] =>
  all.flatMap((one, place) => {
    const earlier = all.slice(0, place).find((other) => isLike(other, one));
    return earlier === undefined ? [] : [[one, earlier] as const];
  });
