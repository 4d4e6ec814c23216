/** How long to look away between two looks at the same thing, in milliseconds: first a moment, then longer and longer. */
export const firstPollMs = 40;
export const longestPollMs = 2000;
const growth = 1.2;

export const longer = (ms: number, longest = longestPollMs, by = growth): number => Math.min(ms * by, longest);

/** What has stood still for minutes is looked at less often: after so much of that time. */
export const lookAwayShare = 1 / 20;

/** How long to look away at most from what has stood still for so long. */
export const longestAway = (stoodMs: number): number => Math.max(longestPollMs, stoodMs * lookAwayShare);
