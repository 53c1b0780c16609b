import { type Field, valueKind, writtenField } from '../../../../sql/editing/field.ts';
import type { EndpointColumn } from '../../../api/endpoints.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';

/** A field of a table's rows that has one value, also one within records and lists of them. */
export interface RowField {
  /** As LQL writes it: `m.` is short for `metadata.`. */
  readonly path: string;
  readonly isNumber: boolean;
}

const numbers: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);

/** The fields of a table, those further out first. */
export function rowFields(columns: readonly EndpointColumn[]): readonly RowField[] {
  const found: RowField[] = [];
  let layer = columns.map((column) => ({ path: column.name, field: writtenField(column) }));
  while (layer.length > 0) {
    for (const { path, field } of layer) {
      if (field.fields.length > 0) continue;
      found.push({ path: path.replace(/^metadata\./, 'm.'), isNumber: isNumber(field) });
    }
    layer = layer.flatMap(({ path, field }) =>
      field.fields.map((inner) => ({ path: `${path}.${inner.name}`, field: inner })),
    );
  }
  return found;
}

function isNumber(field: Field): boolean {
  return numbers.has(valueKind(field) ?? '');
}

/** The values of a field in a row: several if a record around it is a list. */
export function valuesAt(row: JsonObject, path: string): readonly Json[] {
  let values: readonly Json[] = [row];
  for (const name of path.replace(/^m\./, 'metadata.').split('.')) {
    values = values.flatMap((value) => {
      const member = isObject(value) ? value[name] : undefined;
      return member === undefined ? [] : Array.isArray(member) ? (member as readonly Json[]) : [member];
    });
  }
  return values;
}

/** Rows with the same value of a field. */
export interface RowGroup {
  readonly value: Json;
  rows: number;
  /** The highest values of further fields; undefined where no row has one. */
  readonly highest: (number | undefined)[];
}

/**
 * Groups rows by a field, those with most rows first. A row with several values counts for each.
 *
 * @param highest numeric fields
 */
export function groupsOf(
  rows: readonly JsonObject[],
  path: string,
  highest: readonly string[],
): readonly RowGroup[] {
  const groups = new Map<string, RowGroup>();
  for (const row of rows) {
    const values = valuesAt(row, path);
    for (const value of values.length === 0 ? [null] : values) {
      const name = JSON.stringify(typeof value === 'bigint' ? String(value) : value);
      const group = groups.get(name) ?? { value, rows: 0, highest: highest.map(() => undefined) };
      group.rows += 1;
      for (const [index, field] of highest.entries()) {
        for (const one of valuesAt(row, field)) {
          const number = one === null || typeof one === 'object' ? Number.NaN : Number(one);
          if (!(number <= (group.highest[index] ?? Number.NEGATIVE_INFINITY)) && !Number.isNaN(number))
            group.highest[index] = number;
        }
      }
      groups.set(name, group);
    }
  }
  return [...groups.values()].sort((one, other) => other.rows - one.rows);
}

/** An example of a filter that every row of the table can be asked for: with a field that it has. */
export function exampleFilter(columns: readonly EndpointColumn[]): string {
  const fields = rowFields(columns).map(({ path }) => path);
  const has = (pattern: RegExp) => fields.find((path) => pattern.test(path));
  const status = has(/(^|\.)status_code$/);
  if (status !== undefined) return `${status}:>=500`;
  const level = has(/(^|\.)(level|error_severity)$/);
  if (level !== undefined) return `-${level}:info`;
  return fields.includes('event_message') ? 'error' : 't:today';
}
