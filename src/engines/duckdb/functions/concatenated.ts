import type { Expression } from '../emit/expression.ts';
import { whenRoom } from '../functions-in-js/claim.ts';

/** So many texts are put together at a time that counting them stays short. */
const joinedAtOnce = 8;
/** Bytes of constants that make no text large. */
const shortConstants = 1_024;
/** Characters of SQL that may be written twice. */
const shortSql = 200;

/**
 * Texts, or BYTES, one after the other, as SQL; NULL among them gives NULL. Where texts of columns come together, in stages, so that no
 * stage makes much more than there is room for.
 */
export function concatenated(parts: readonly Expression[]): string {
  const groups = Array.from({ length: Math.ceil(parts.length / joinedAtOnce) }, (_, i) =>
    joined(parts.slice(i * joinedAtOnce, (i + 1) * joinedAtOnce)),
  );
  return groups.length === 1 ? groups.join() : `(${groups.join(' || ')})`;
}

function joined(parts: readonly Expression[]): string {
  const whole = `(${parts.map(({ sql }) => sql).join(' || ')})`;
  const known = constantBytes(parts);
  const columns = parts.filter(({ constant, weight }) => constant === undefined && weight <= 1);
  if (columns.length < 2 && known <= shortConstants) return whole;
  // What DuckDB knows already it would claim only once. Longer expressions would double with each call that this one is part of.
  const varying = parts.filter(({ constant, sql }) => constant === undefined && sql.length <= shortSql);
  const measured = columns.length > 0 ? columns : varying.slice(0, 1);
  if (measured.length === 0) return whole;
  const lengths = measured.map(
    ({ sql, type }) => `${type.kind === 'BYTES' ? 'octet_length' : 'strlen'}(${sql})`,
  );
  if (known > 0) lengths.push(String(known));
  return `CASE ${whenRoom(`(${lengths.join(' + ')})`)} ${whole} END`;
}

function constantBytes(parts: readonly Expression[]): number {
  return parts.reduce(
    (sum, { constant }) => sum + (typeof constant === 'string' ? Buffer.byteLength(constant) : 0),
    0,
  );
}
