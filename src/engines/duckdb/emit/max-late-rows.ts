/**
 * Larger results are read by one query: late columns are found by the row ids, which the SQL then contains, and nearly every
 * vector of a table has one.
 */
export const maxLateRows = 2001;
