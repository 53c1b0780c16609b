/**
 * What Google's analyzer refuses by itself although BigQuery has it, or people try it: a query of each, and the error with dots for
 * what differs.
 */
export const analyzerRefusals: readonly { readonly sql: string; readonly text: string }[] = [
  { sql: 'insert into t values (1)', text: 'Statement not supported: …' },
  { sql: "select * from f('a')", text: 'Table-valued functions are not supported' },
  { sql: "select range<date> '[2026-01-01, 2026-02-01)'", text: 'RANGE literals are not supported' },
  { sql: 'select 1 from (select 1 a) natural join (select 1 a)', text: 'Natural join not supported' },
];
