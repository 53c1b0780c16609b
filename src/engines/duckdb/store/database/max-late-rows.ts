/**
 * Larger results are read by one query: DuckDB looks up no more keys than this one by one, by its setting
 * `dynamic_or_filter_threshold`.
 */
export const maxLateRows = 2001;
