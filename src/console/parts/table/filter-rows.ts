import { formatJson, type JsonObject } from '../../api/json.ts';

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
