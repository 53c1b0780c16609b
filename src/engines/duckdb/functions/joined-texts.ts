import type { Expression } from '../emit/expression.ts';
import { whenRoom } from '../functions-in-js/claim.ts';

/** So many texts are put together at a time that counting them stays short. */
const joinedAtOnce = 8;

/**
 * Texts, or BYTES, one after the other, as SQL; NULL among them gives NULL. Where texts of columns come together, in stages, so that no
 * stage makes much more than there is room for.
 */
export function joinedTexts(parts: readonly Expression[]): string {
  const groups = Array.from({ length: Math.ceil(parts.length / joinedAtOnce) }, (_, i) =>
    joined(parts.slice(i * joinedAtOnce, (i + 1) * joinedAtOnce)),
  );
  return groups.length === 1 ? groups.join() : `(${groups.join(' || ')})`;
}

function joined(parts: readonly Expression[]): string {
  const whole = `(${parts.map(({ sql }) => sql).join(' || ')})`;
  const columns = parts.filter(({ constant, weight }) => constant === undefined && weight <= 1);
  if (columns.length < 2) return whole;
  const lengths = columns.map(
    ({ sql, type }) => `${type.kind === 'BYTES' ? 'octet_length' : 'strlen'}(${sql})`,
  );
  return `CASE ${whenRoom(`(${lengths.join(' + ')})`)} ${whole} END`;
}
