import { knownDifferences } from '../engines/duckdb/differential/known-differences.ts';

/** The rows of the table of differences in docs/googlesql.md. */
export function differenceRows(): string[] {
  return [...knownDifferences].map(([sql, reason]) => {
    const query = sql.replace(/\s+/g, ' ').replaceAll('|', '\\|');
    return `| \`${query}\` | ${reason} |`;
  });
}
