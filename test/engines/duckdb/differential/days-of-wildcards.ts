import type { TestTable } from './tables.ts';

/**
 * The tables that a query calls by some days of a wildcard table, `logs.ev_2026*` or `logs.ev_20260131`, for the evaluator, which
 * knows only tables. The last column of the wildcard table is `_TABLE_SUFFIX`, the day in digits.
 */
export function daysOfWildcards(tables: readonly TestTable[], sql: string): readonly TestTable[] {
  return tables.flatMap((table) => {
    if (!table.name.endsWith('_*')) return [];
    const stem = table.name.slice(0, -1);
    const written = [...sql.matchAll(/[\w.]+\*?/g)].map(([name]) => name);
    const days = written.filter((name) => name.startsWith(stem) && name !== table.name);
    return [...new Set(days)].map((name) => daysOf(table, name, name.slice(stem.length)));
  });
}

function daysOf(table: TestTable, name: string, days: string): TestTable {
  const digits = days.replace('*', '');
  const suffixAt = table.columns.length;
  const rows = table.rows.filter((row) => String(row[suffixAt]).startsWith(digits));
  if (!days.endsWith('*')) return { name, columns: table.columns, rows: rows.map((row) => row.slice(0, -1)) };
  const shortened = rows.map((row) => [...row.slice(0, -1), String(row[suffixAt]).slice(digits.length)]);
  return { ...table, name, rows: shortened };
}
