import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api';
import type { Column, SqlType } from '../../sql/type.ts';
import { fieldUses, type UsedFields } from '../../sql/used-fields.ts';
import type { Row, Value } from '../../sql/value.ts';
import { decoderOf, rowDecoder } from './decode.ts';
import type { RecordInLeaves, RecordsInLeaves } from './emit/context.ts';
import { recordType } from './store/flat-layout.ts';

/** Gives the next leaf of a row. */
type Leaves = () => DuckDBValue;

/** Takes the leaves of a record, all that `leafNames` gives, and makes its value of them. */
type Maker = (next: Leaves) => Value;

/** A function that makes rows of those that an emitted query gives, whose records may come as their leaves. */
export function emittedDecoder(
  columns: readonly Column[],
  records: RecordsInLeaves | undefined,
): (row: readonly DuckDBValue[]) => Row {
  const decode = rowDecoder(columns);
  if (records === undefined) return decode;
  const [flat, lists] = [
    makersOf(columns, records.flat, flatMaker),
    makersOf(columns, records.lists, (type, used) => {
      const take = listLeaves(type, used);
      return (next) => take(next)([]);
    }),
  ];
  return (row) => {
    const values = [...decode(row)];
    for (const { position, first, make } of row[records.isFlat] === true ? flat : lists) {
      let next = first;
      values[position] = make(() => row[next++] ?? null);
    }
    return values;
  };
}

/**
 * The columns of an emitted query that hold the arrays of a row, and maybe other values: those of the result, and of each record that
 * comes as lists the first leaf, which has as many elements as the record.
 */
export function arraysOf(columns: readonly Column[], records: RecordsInLeaves | undefined): number[] {
  const leaves = [...(records?.lists.values() ?? [])].map(({ first }) => first);
  return [...columns.keys(), ...leaves];
}

function makersOf(
  columns: readonly Column[],
  records: ReadonlyMap<number, RecordInLeaves>,
  makerOf: (type: SqlType, used: UsedFields) => Maker,
) {
  return [...records].map(([position, { first, used }]) => {
    const type = columns[position]?.type;
    if (type === undefined) throw new TypeError('No column that comes as leaves');
    return { position, first, make: makerOf(type, used) };
  });
}

/** Of a table in flat form: each leaf is a value, whether the record is there or not. */
function flatMaker(type: SqlType, used: UsedFields): Maker {
  const record = recordType(type);
  if (record === undefined) {
    const decode = decoderOf(type);
    return (next) => decode(next());
  }
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

/** A value by the indexes of the elements that it is in. */
type ValueAt = (indexes: readonly number[]) => Value;

/** Of a table in list form: each leaf is a list for every repeated record that it is in. */
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
