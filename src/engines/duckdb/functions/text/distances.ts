import { cosineDistance, euclideanDistance } from '../../macros/distances.ts';
import { raise } from '../../macros/macro.ts';
import { editDistance } from '../../udf/text/edit-distance.ts';
import { latinText } from '../../udf/text/latin.ts';
import { type FunctionEntries, failing, macro } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';

/**
 * The maximum number of steps in a call of DuckDB's own function, which processes some thousand rows without
 * interruption.
 */
const maxCells = 1_000_000;

/** DuckDB's own distance counts bytes, which are characters in ASCII. */
function textDistance(call: FunctionCall): string {
  const texts = [0, 1].map((index) => {
    const { sql, type } = call.arg(index);
    return type.kind === 'BYTES' ? latinText.call([sql]) : sql;
  });
  const [a = '', b = ''] = texts;
  const ascii = texts.map((text) => `strlen(${text}) = length(${text})`).join(' AND ');
  const isShort = `${texts.map((text) => `strlen(${text})`).join(' * ')} <= ${maxCells}`;
  const distance = `CASE WHEN ${ascii} AND ${isShort} THEN levenshtein(${a}, ${b}) ELSE ${editDistance.call([a, b])} END`;
  const most = call.given(2);
  if (most === undefined) return distance;
  const negative = raise("'EDIT_DISTANCE max_distance must be non-negative'", 'BIGINT');
  return `CASE WHEN ${most.sql} < 0 THEN ${negative} WHEN ${most.sql} IS NOT NULL THEN least(${distance}, ${most.sql}) END`;
}

export const distanceFunctions: FunctionEntries = {
  edit_distance: failing(textDistance),
  cosine_distance: macro(cosineDistance),
  euclidean_distance: macro(euclideanDistance),
};
