import type { SqlType } from '../sql/type.ts';

/** A column of a source, or a field of a record in it. */
export interface SourceColumn {
  /** As spelt in the schema. Unique at its level, ignoring letter case. */
  readonly name: string;
  /** The type of a value: an array if the column is repeated, a struct if it is a record. */
  readonly type: SqlType;
  readonly mode: ColumnMode;
  /** The fields of a record, in schema order. Empty for every other type. */
  readonly fields: readonly SourceColumn[];
  readonly description?: string;
}

export const columnModes = ['NULLABLE', 'REQUIRED', 'REPEATED'] as const;

/** Whether a value may be NULL, is required, or is a list (never NULL, but possibly empty). */
export type ColumnMode = (typeof columnModes)[number];

/** A log source: a table that stored queries read as `logs.<name>`. */
export interface Source {
  readonly name: string;
  /** The path of the schema file. */
  readonly file: string;
  readonly columns: readonly SourceColumn[];
  /** Its rows are in a table per day, `<name>_20260131`, which queries read together as `logs.<name>_*`. */
  readonly wildcard?: 'DAY';
  /** Its table is partitioned by the day of ingestion. */
  readonly partitioned?: 'DAY';
  /** Rows older than this many days are deleted. If undefined, the setting for all sources applies. */
  readonly retentionDays?: number;
}
