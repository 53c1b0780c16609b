/**
 * How many times as much tests with random or repeated work do as in CI, whose time is short: `TEST_EFFORT=10` finds more.
 * A whole number from 1.
 */
export const effort = Math.max(1, Math.floor(Number(process.env.TEST_EFFORT ?? 1)) || 1);
