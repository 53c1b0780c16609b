/**
 * Results of more rows are read in one go: DuckDB looks up no more keys than this one by one, by its setting
 * `dynamic_or_filter_threshold`.
 */
export const mostLateRows = 2001;
