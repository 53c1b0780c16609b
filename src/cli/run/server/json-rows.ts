import { CommandError } from '../../../base/errors/command-error.ts';
import { isObject, type Json, type JsonObject, readJsonObject } from '../../../base/text/exact-json.ts';
import { JsonNumber } from '../../../base/text/json-number.ts';
import type { TextTable } from '../table/result-table.ts';

/** The rows of a body of JSON lines. Their numbers keep all digits. @throws CommandError */
export function parseJsonRows(body: string): JsonObject[] {
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = parsedRow(line);
      if (row === undefined) throw new CommandError('The gateway answers with something else than rows.');
      return row;
    });
}

function parsedRow(line: string): JsonObject | undefined {
  try {
    const row = readJsonObject(line);
    return isObject(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

/** Rows as texts. A column is one of numbers if all its values are; NULL is none. */
export function tableOfLines(rows: readonly JsonObject[]): TextTable {
  const names = Object.keys(rows[0] ?? {});
  const isNumber = (name: string) => {
    const values = rows.map((row) => valueIn(row, name)).filter((value) => value !== null);
    return values.length > 0 && values.every((value) => value instanceof JsonNumber);
  };
  return {
    columns: names.map((name) => ({ name, isNumber: isNumber(name) })),
    rows: rows.map((row) => names.map((name) => textOf(valueIn(row, name)))),
  };
}

/** Rows may lack columns, and columns may be called `constructor`, which every object has. */
function valueIn(row: JsonObject, name: string): Json {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

/** Whole numbers of type FLOAT64 are without a fraction, as in tables of a folder's rows. */
function textOf(value: Json): string | null {
  return value === null || typeof value === 'string'
    ? value
    : JSON.stringify(value).replace(/^(-?\d+)\.0$/, '$1');
}
