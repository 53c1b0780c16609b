import type { JsonObject } from '../../api/json.ts';
import type { TableColumn } from '../table/table-column.ts';

/** What a chart can make of a column. */
export type ColumnKind = 'time' | 'number' | 'category' | 'other';

const sample = 500;
const time = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/;
/** More different texts than this are no categories. */
const maxCategories = 200;
const longestCategory = 80;

/** The kind of a column, by the values of its first rows. */
export function kindOf({ name }: TableColumn, rows: readonly JsonObject[]): ColumnKind {
  const values = rows
    .slice(0, sample)
    .map((row) => row[name] ?? null)
    .filter((value) => value !== null);
  if (values.length === 0) return 'other';
  if (values.every((value) => typeof value === 'number' || typeof value === 'bigint')) return 'number';
  if (values.every((value) => typeof value === 'boolean')) return 'category';
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length < values.length) return 'other';
  if (texts.every((text) => time.test(text))) return 'time';
  const isShort = texts.every((text) => text.length <= longestCategory);
  return isShort && new Set(texts).size <= maxCategories ? 'category' : 'other';
}

/** Seconds since the epoch of a TIMESTAMP, DATETIME or DATE. Those without a zone are in UTC. */
export function secondsOf(text: string): number {
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text);
  const full = text.includes(':') ? text.replace(' ', 'T') : `${text.slice(0, 10)}T00:00:00`;
  return Date.parse(hasZone ? full : `${full}Z`) / 1000;
}
