/**
 * How many readings after the first that shows the end may come from several parts of a caller. It is certain sooner of one
 * that does not end by itself.
 */
export const maxAfterEnd = (isOver: boolean): number => (isOver ? 5 : 2);
