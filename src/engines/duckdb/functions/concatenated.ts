import type { Expression } from '../expression.ts';
import { whenRoom } from '../udf/claim.ts';

/** With more parts, what `||` makes on the way is many times the whole: each text is copied by the next. */
const mostOperators = 8;
/** Bytes of constants that make no text large. */
const shortConstants = 1_024;
/** Characters of SQL that may be written twice. */
const shortSql = 200;

/**
 * Texts, or BYTES, one after the other, as SQL; NULL among them gives NULL. Where texts of columns come together, or many texts, the whole
 * is claimed before it is made.
 */
export function concatenated(parts: readonly Expression[]): string {
  const isText = parts.every(({ type }) => type.kind === 'STRING');
  if (parts.length > mostOperators && isText) {
    const varying = parts.filter(({ constant }) => constant === undefined);
    return ifRoom(varying, parts, joinedTexts(parts.map(({ sql }) => sql)));
  }
  const whole = `(${parts.map(({ sql }) => sql).join(' || ')})`;
  const columns = parts.filter(({ constant, weight }) => constant === undefined && weight <= 1);
  if (columns.length < 2 && constantBytes(parts) <= shortConstants) return whole;
  // What DuckDB knows already it would claim only once. Longer expressions would double with each call that this one is part of.
  const varying = parts.filter(({ constant, sql }) => constant === undefined && sql.length <= shortSql);
  return ifRoom(columns.length > 0 ? columns : varying.slice(0, 1), parts, whole);
}

/**
 * Texts, none of which is NULL, one after the other, as SQL.
 *
 * @param parts SQL
 */
export function joinedTexts(parts: readonly string[]): string {
  return `concat(${parts.join(', ')})`;
}

/** The whole, when there is room for the measured parts and the constants; NULL when a measured part is. */
function ifRoom(measured: readonly Expression[], parts: readonly Expression[], whole: string): string {
  if (measured.length === 0) return whole;
  const lengths = measured.map(
    ({ sql, type }) => `${type.kind === 'BYTES' ? 'octet_length' : 'strlen'}(${sql})`,
  );
  const known = constantBytes(parts);
  if (known > 0) lengths.push(String(known));
  return `CASE ${whenRoom(`(${sumOf(lengths)})`)} ${whole} END`;
}

/** The sum of some SQL. DuckDB takes 5 s to plan a chain of 600 additions, and 45 ms for a tree of them (measured). */
export function sumOf(terms: readonly string[]): string {
  if (terms.length <= mostOperators) return terms.join(' + ');
  const half = terms.length >> 1;
  return `(${sumOf(terms.slice(0, half))}) + (${sumOf(terms.slice(half))})`;
}

function constantBytes(parts: readonly Expression[]): number {
  return parts.reduce(
    (sum, { constant }) => sum + (typeof constant === 'string' ? Buffer.byteLength(constant) : 0),
    0,
  );
}
