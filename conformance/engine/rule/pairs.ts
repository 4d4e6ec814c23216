/** Things of one kind beside one another: none of them may be as another one, or each has to be as the first. */

/** Each beside the first of those before it that is like it; what is like none before is left out. */
export const withEarlier = <Item>(
  all: readonly Item[],
  isLike: (earlier: Item, one: Item) => boolean,
): (readonly [one: Item, earlier: Item])[] =>
  all.flatMap((one, place) => {
    const earlier = all.slice(0, place).find((other) => isLike(other, one));
    return earlier === undefined ? [] : [[one, earlier] as const];
  });

/** Each but the first, beside it. */
export const withFirst = <Item>([first, ...others]: readonly Item[]): (readonly [one: Item, first: Item])[] =>
  first === undefined ? [] : others.map((one) => [one, first] as const);
