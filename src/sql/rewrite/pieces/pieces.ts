import type { Rewriting, Segment } from '../../text/rewriting.ts';

/** A part of a rewritten text: a part of the original, or generated text with its place in the original. */
export type Piece =
  | { readonly start: number; readonly end: number }
  | { readonly text: string; readonly at: number };

/** A rewritten text as its parts, which spaces separate. */
export type Pieces = readonly Piece[];

/** Joins pieces to a text. */
export function joined(
  original: string,
  pieces: Pieces,
): { readonly sql: string; readonly rewriting: Rewriting } {
  const bytesBefore = byteOffsets(original);
  const segments: Segment[] = [];
  const texts: string[] = [];
  let at = 0;
  for (const piece of pieces) {
    const isCopy = 'start' in piece;
    const text = isCopy ? original.slice(piece.start, piece.end) : piece.text;
    const length = Buffer.byteLength(text);
    segments.push({ at, length, from: bytesBefore(isCopy ? piece.start : piece.at), isCopy });
    texts.push(text);
    at += length + 1;
  }
  return { sql: texts.join(' '), rewriting: { original, segments } };
}

/** Maps UTF-16 offsets to bytes in UTF-8. */
function byteOffsets(text: string): (offset: number) => number {
  const known = new Map<number, number>([[0, 0]]);
  let last = 0;
  return (offset) => {
    let bytes = known.get(offset);
    if (bytes === undefined) {
      const from = last <= offset ? last : 0;
      bytes = (known.get(from) ?? 0) + Buffer.byteLength(text.slice(from, offset));
      known.set(offset, bytes);
      last = offset;
    }
    return bytes;
  };
}

/** Separates lists of pieces by generated text. */
export function separated(lists: readonly Pieces[], separator: Piece): Pieces {
  return lists.flatMap((list, index) => (index === 0 ? list : [separator, ...list]));
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Reserved words after which a call of a function can't be continued: `CASE ... END` and values end an operand. */
export const callable = words('ARRAY CAST EXTRACT IF LEFT RIGHT STRUCT EXISTS INTERVAL GROUPING UNNEST');

/** Aggregate functions. */
export const aggregates = words(`
  ANY_VALUE APPROX_COUNT_DISTINCT APPROX_QUANTILES APPROX_TOP_COUNT APPROX_TOP_SUM ARRAY_AGG ARRAY_CONCAT_AGG AVG
  BIT_AND BIT_OR BIT_XOR CORR COUNT COUNTIF COUNT_IF COVAR_POP COVAR_SAMP GROUPING LOGICAL_AND LOGICAL_OR MAX MAX_BY MIN MIN_BY
  PERCENTILE_CONT PERCENTILE_DISC STDDEV STDDEV_POP STDDEV_SAMP STRING_AGG SUM VARIANCE VAR_POP VAR_SAMP ST_CENTROID_AGG
  ST_EXTENT ST_UNION_AGG`);

/** The functions of HLL_COUNT, KLL_QUANTILES and D3A_COUNT that aggregate. */
export const sketchAggregates = words('INIT MERGE MERGE_PARTIAL MERGE_POINT');

/** Names of types. */
export const typeWords = words(`
  DATE TIME DATETIME TIMESTAMP INT64 INT INTEGER BIGINT SMALLINT TINYINT BYTEINT FLOAT64 NUMERIC DECIMAL BIGNUMERIC
  BIGDECIMAL STRING BYTES BOOL BOOLEAN JSON`);

/** Names of arguments: parts of dates, modes, folders of functions. */
export const argumentWords = words(`
  MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY DAYOFWEEK DAYOFYEAR WEEK ISOWEEK MONTH QUARTER YEAR ISOYEAR MONDAY
  TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY NFC NFD NFKC NFKD ZONE ROUND_HALF_EVEN ROUND_HALF_AWAY_FROM_ZERO
  KIND SAFE NET NEXT FIRST LAST ORDINAL OFFSET SAFE_OFFSET SAFE_ORDINAL FORMAT`);

/** Words that begin a clause after a SELECT list or a FROM clause. */
export const clauseWords = words('FROM WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT EXCEPT');
