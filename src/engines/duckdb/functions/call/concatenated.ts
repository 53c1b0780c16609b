import type { Value } from '../../../../sql/values/value.ts';
import type { Expression } from '../../dialect/expression.ts';
import { whenRoom } from '../../udf/js/claim.ts';

/**
 * With more operands, the intermediate results of `||` are many times larger than the whole: each step copies the
 * previous one.
 */
const maxOperators = 8;
/** Bytes of constants that can't make a text large. */
const shortConstants = 1_024;
/** The maximum length of SQL that may be repeated. */
const shortSql = 200;

/**
 * Concatenates texts or BYTES in SQL. NULL if one of them is. Concatenations of columns, or of many texts, claim their
 * memory first.
 */
export function concatenated(parts: readonly Expression[]): string {
  const isText = parts.every(({ type }) => type.kind === 'STRING');
  if (parts.length > maxOperators && isText) {
    const varying = parts.filter(({ constant }) => constant === undefined);
    return ifRoom(varying, parts, joinedTexts(parts.map(({ sql }) => sql)));
  }
  const whole = `(${parts.map(({ sql }) => sql).join(' || ')})`;
  const columns = parts.filter(({ constant, weight }) => constant === undefined && weight <= 1);
  if (columns.length < 2 && constantBytes(parts) <= shortConstants) return whole;
  // DuckDB would evaluate the claim of constants only once. The SQL of longer expressions would double with each
  // enclosing call.
  const varying = parts.filter(({ constant, sql }) => constant === undefined && sql.length <= shortSql);
  return ifRoom(columns.length > 0 ? columns : varying.slice(0, 1), parts, whole);
}

/**
 * Concatenates texts, none of which is NULL.
 *
 * @param parts SQL expressions
 */
export function joinedTexts(parts: readonly string[]): string {
  return `concat(${parts.join(', ')})`;
}

/** The concatenation, if there is memory for the measured parts and the constants. NULL if a measured part is NULL. */
function ifRoom(measured: readonly Expression[], parts: readonly Expression[], whole: string): string {
  if (measured.length === 0) return whole;
  const lengths = measured.map(
    ({ sql, type }) => `${type.kind === 'BYTES' ? 'octet_length' : 'strlen'}(${sql})`,
  );
  const known = constantBytes(parts);
  if (known > 0) lengths.push(String(known));
  return `CASE ${whenRoom(`(${sumOf(lengths)})`)} ${whole} END`;
}

/**
 * The sum of SQL expressions. DuckDB takes 5 s to plan a chain of 600 additions, and 45 ms for a tree of them
 * (measured).
 */
export function sumOf(terms: readonly string[]): string {
  if (terms.length <= maxOperators) return terms.join(' + ');
  const half = terms.length >> 1;
  return `(${sumOf(terms.slice(0, half))}) + (${sumOf(terms.slice(half))})`;
}

function bytesOf(value: Value | undefined): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0;
}

function constantBytes(parts: readonly Expression[]): number {
  return parts.reduce((sum, { constant }) => sum + bytesOf(constant?.value), 0);
}
