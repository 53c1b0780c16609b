import { formatJson, type JsonObject } from '../../api/json.ts';

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  /** As GoogleSQL writes it, if it is known. */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
}

/** The columns of rows without a description of their columns, in the order of the first row. */
export function columnsOf(rows: readonly JsonObject[]): readonly TableColumn[] {
  return Object.keys(rows[0] ?? {}).map((name) => ({ name }));
}

/** The rows that contain a text in one of their values, in any letter case. */
export function filterRows(rows: readonly JsonObject[], text: string): readonly JsonObject[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) => Object.values(row).some((value) => plain(value).includes(wanted)));
}

function plain(value: JsonObject[string]): string {
  const text = typeof value === 'object' ? formatJson(value) : String(value);
  return text.toLowerCase();
}
