import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api';
import { fieldUses, type UsedFields } from '../../../../sql/plan/used-fields.ts';
import type { Column, SqlType } from '../../../../sql/values/type.ts';
import type { Value } from '../../../../sql/values/value.ts';
import type { LateQuery } from '../../emit/emitter/context.ts';
import type { LeavesOfRecord } from '../../emit/emitter/relation.ts';
import { recordType } from '../../store/tables/flat-layout.ts';
import { decoderOf } from './decode.ts';

/** Returns the next leaf of a row. */
type Leaves = () => DuckDBValue;

/** Builds a value from its columns. A record takes all columns of `leafNames`. */
type Maker = (next: Leaves) => Value;

/** Decodes the rows of a late query. */
interface LateDecoder {
  /** The values of a row, in the order of {@link LateQuery.values}. */
  decode(row: readonly DuckDBValue[]): Value[];
  /**
   * The columns whose elements must be counted for a value's size. If a record is stored as lists, this is its first
   * leaf, which has the same number of elements.
   */
  readonly arrays: readonly number[];
}

/** @param columns the columns of the result */
export function lateDecoder(columns: readonly Column[], values: LateQuery['values']): LateDecoder {
  const arrays: number[] = [];
  const makers: Maker[] = [];
  // The first column is the key.
  let next = 1;
  for (const [position, value] of values) {
    const type = columns[position]?.type;
    if (type === undefined) throw new TypeError('The result has no such column');
    const isValue = typeof value === 'string';
    if (isValue || value.form === 'lists') arrays.push(next);
    makers.push(isValue ? valueMaker(type) : recordMaker(type, value));
    next += isValue ? 1 : value.leaves.length;
  }
  return {
    arrays,
    decode(row) {
      let next = 1;
      return makers.map((make) => make(() => row[next++] ?? null));
    },
  };
}

function valueMaker(type: SqlType): Maker {
  const decode = decoderOf(type);
  return (next) => decode(next());
}

function recordMaker(type: SqlType, { form, used }: LeavesOfRecord): Maker {
  if (form === 'flat') return flatMaker(type, used);
  const take = listLeaves(type, used);
  return (next) => take(next)([]);
}

/** For a table in flat form: each leaf is a single value, even if the record is absent. */
function flatMaker(type: SqlType, used: UsedFields): Maker {
  const record = recordType(type);
  if (record === undefined) return valueMaker(type);
  const isRepeated = type.kind === 'ARRAY';
  const fields = record.fields.map((field, i) => {
    const uses = fieldUses(used, i);
    return uses && flatMaker(field.type, uses);
  });
  return (next) => {
    const isPresent = next();
    const element = fields.map((make) => make?.(next) ?? null);
    if (isPresent === true) return isRepeated ? [element] : element;
    return isRepeated && isPresent === false ? [] : null;
  };
}

/** Returns a value at the indexes of the elements that contain it. */
type ValueAt = (indexes: readonly number[]) => Value;

/** For a table in list form: each leaf is a list for every repeated record that contains it. */
function listLeaves(type: SqlType, used: UsedFields): (next: Leaves) => ValueAt {
  const record = recordType(type);
  if (record === undefined) {
    const decode = decoderOf(type);
    return (next) => {
      const leaf = next();
      return (indexes) => decode(elementAt(leaf, indexes));
    };
  }
  const isRepeated = type.kind === 'ARRAY';
  const fields = record.fields.map((field, i) => {
    const uses = fieldUses(used, i);
    return uses && listLeaves(field.type, uses);
  });
  return (next) => {
    const presence = next();
    const values = fields.map((take) => take?.(next));
    const elementOf: (indexes: readonly number[]) => Value = (indexes) =>
      values.map((value) => value?.(indexes) ?? null);
    return (indexes) => {
      const present = elementAt(presence, indexes);
      if (!isRepeated) return present === true ? elementOf(indexes) : null;
      if (!(present instanceof DuckDBListValue)) return null;
      return present.items.map((isThere, i) => (isThere === true ? elementOf([...indexes, i]) : null));
    };
  };
}

function elementAt(leaf: DuckDBValue, indexes: readonly number[]): DuckDBValue {
  return indexes.reduce<DuckDBValue>(
    (list, index) => (list instanceof DuckDBListValue ? (list.items[index] ?? null) : null),
    leaf,
  );
}
