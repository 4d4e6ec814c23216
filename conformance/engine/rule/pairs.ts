/** Pairs of things of one kind, for rules that compare them. */

/** Each item with the first earlier one that is like it. Items without one are left out. */
export const withEarlier = <Item>(
  all: readonly Item[],
  isLike: (earlier: Item, one: Item) => boolean,
): (readonly [one: Item, earlier: Item])[] =>
  all.flatMap((one, place) => {
    const earlier = all.slice(0, place).find((other) => isLike(other, one));
    return earlier === undefined ? [] : [[one, earlier] as const];
  });

/** Each further item with the first. */
export const withFirst = <Item>([first, ...others]: readonly Item[]): (readonly [one: Item, first: Item])[] =>
  first === undefined ? [] : others.map((one) => [one, first] as const);
