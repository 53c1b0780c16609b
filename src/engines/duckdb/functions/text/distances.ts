import { cosineDistance, euclideanDistance } from '../../macros/distances.ts';
import { raise } from '../../macros/macro.ts';
import { editDistance } from '../../udf/text/edit-distance.ts';
import { latinText } from '../../udf/text/latin.ts';
import { sparseCosineDistance, sparseEuclideanDistance } from '../../udf/vectors/sparse-distances.ts';
import { type FunctionEntries, failing, guarded } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { structField } from '../call/struct-field.ts';

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

interface Callee {
  call(args: readonly string[], safe?: boolean): string;
}

/** A distance of vectors: arrays of magnitudes, or of records of a dimension and its magnitude. */
const vectorDistance =
  (dense: Callee, sparse: Readonly<Record<'INT64' | 'STRING', Callee>>) =>
  (call: FunctionCall): string => {
    const args = call.all().map(({ sql }) => sql);
    const { type } = call.arg(0);
    const element = type.kind === 'ARRAY' ? type.element : type;
    if (element.kind !== 'STRUCT') return dense.call(args, call.safe);
    const isNamed = element.fields[0]?.type.kind === 'STRING';
    const lists = args.flatMap((list) =>
      element.fields.map(
        (field, i) => `list_transform(${list}, lambda e: ${structField('e', i, field.type)})`,
      ),
    );
    return sparse[isNamed ? 'STRING' : 'INT64'].call(lists, call.safe);
  };

export const distanceFunctions: FunctionEntries = {
  edit_distance: failing(textDistance),
  cosine_distance: guarded(vectorDistance(cosineDistance, sparseCosineDistance)),
  euclidean_distance: guarded(vectorDistance(euclideanDistance, sparseEuclideanDistance)),
};
