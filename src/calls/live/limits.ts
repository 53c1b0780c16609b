/** The longest time between two results that a client can ask for, in seconds. */
export const longestLiveSeconds = 3600;
/** How many rows may come first in a tail, and how many do by default. */
export const [maxTailRows, defaultTailRows] = [1000, 100];
