import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import { leafNames, recordType } from '../../store/tables/flat-layout.ts';
import type { KeySql } from '../../store/tables/key-sql.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { type LateValue, type LeavesOfRecord, lateAlias } from '../emitter/relation.ts';
import { columnName } from '../pieces/column-name.ts';
import { storedColumn } from '../pieces/stored-column.ts';

/** The late columns of a table in one of its two forms, which are read after the result's rows are known. */
export function lateValues(
  columns: readonly ResolvedColumn[],
  form: LeavesOfRecord['form'],
  key: KeySql,
  emitter: Emitter,
): ReadonlyMap<string, LateValue> {
  const sql = (name: string) => storedColumn(name, key, lateAlias);
  return new Map(
    columns.map((column) => {
      const used = emitter.usedFields(column);
      const isRecord = recordType(column.type) !== undefined;
      const value = isRecord
        ? { form, used, leaves: leafNames(column.name, column.type, used).map(sql) }
        : sql(column.name);
      return [columnName(column), value] as const;
    }),
  );
}
