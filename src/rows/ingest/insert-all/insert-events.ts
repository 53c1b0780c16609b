import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { DigitsNeeded, JsonNumber } from '../../../base/text/json-number.ts';
import { idColumn, type KeyedSource, timeColumn } from '../../../definitions/sources/row-key.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import type {
  InsertOptions,
  RejectedRow,
  RowInserter,
  RowToInsert,
} from '../../../engines/bigquery/insert/row-inserter.ts';
import { RowsRejected } from '../../../engines/bigquery/insert/rows-rejected.ts';
import {
  madeIdKey,
  type ParsedRows,
  type WholeRows,
} from '../../../engines/duckdb/store/insert/row-batch.ts';
import { elementType, type ScalarTypeName } from '../../../sql/values/type.ts';
import { withRow } from '../encode/row-encoder.ts';
import type { ParseEvents } from '../events/add-events.ts';
import { type AddEvents, type AddedRows, type EventOutcome, rejectionsOf } from '../events/event-outcome.ts';
import type { Rejection, SourceRows } from '../events/parsed-events.ts';

/** Converts a value of the store's text form, parsed from JSON, to that of `tabledata.insertAll`. */
type InsertValue = (value: unknown) => unknown;

/**
 * Returns a function from a record in the store's text form (see `WholeRows`) to a record of `tabledata.insertAll`:
 * fields with their names as in the schema, without those that are NULL.
 *
 * | type | form |
 * |---|---|
 * | BOOL, STRING | as in JSON |
 * | INT64 | string of digits: JSON numbers are doubles at BigQuery |
 * | FLOAT64 | JSON number; `"-0.0"`, `"NaN"`, `"Infinity"`, `"-Infinity"` |
 * | NUMERIC | string of digits |
 * | TIMESTAMP | string in RFC 3339 with up to six digits of a second, in UTC |
 * | DATE, TIME, DATETIME | string |
 * | BYTES | string: base64 |
 * | JSON | string: the JSON text |
 * | REPEATED | array |
 * | RECORD | object |
 *
 * The function throws `DigitsNeeded` if only a number's digits are precise enough.
 *
 * Source: https://cloud.google.com/bigquery/docs/loading-data-cloud-storage-json#details_of_loading_json_data, whose forms
 * are those of streamed rows
 */
function insertRecord(
  columns: readonly SourceColumn[],
): (record: unknown) => Readonly<Record<string, unknown>> {
  const fields = columns.map((column) => ({
    key: column.name.toLowerCase(),
    name: column.name,
    convert: insertValue(column),
  }));
  return (record) => {
    const given = Object(record);
    // Without a prototype, which a column named `__proto__` would otherwise reach.
    const made: Record<string, unknown> = Object.create(null);
    for (const { key, name, convert } of fields) {
      const value: unknown = Object.hasOwn(given, key) ? given[key] : undefined;
      if (value !== undefined && value !== null) made[name] = convert(value);
    }
    return made;
  };
}

function insertValue(column: SourceColumn): InsertValue {
  const single = column.fields.length > 0 ? insertRecord(column.fields) : scalarValue(column);
  return column.mode === 'REPEATED' ? (value) => Array.from(Object(value), single) : single;
}

function scalarValue({ type }: SourceColumn): InsertValue {
  const { kind } = elementType(type);
  return converters[kind as ScalarTypeName] ?? ((value) => value);
}

const converters: Readonly<Partial<Record<ScalarTypeName, InsertValue>>> = {
  INT64: (value) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new DigitsNeeded();
    return String(value);
  },
  FLOAT64: (value) => {
    const double = value instanceof JsonNumber ? Number(value.text) : value;
    return Object.is(double, -0) ? '-0.0' : double;
  },
  TIMESTAMP: (value) => (typeof value === 'string' && !value.endsWith('Z') ? `${value}Z` : value),
};

/**
 * Returns a function from rows in the store's text form to rows for BigQuery.
 *
 * The insert id of a row is its id or, if its source has none, the one that was made for it. An id that BigQuery does not accept
 * as an insert id is replaced by a digest.
 */
export function rowsToInsert(source: KeyedSource): (rows: Pick<WholeRows, 'text'>) => RowToInsert[] {
  const record = insertRecord(source.columns);
  const idName = idColumn(source)?.name ?? '';
  const timeName = timeColumn(source)?.name ?? '';
  return ({ text }) => {
    return text.split('\n').map((line) => {
      const [values, madeId] = withRow(line, (row) => [record(row), Object(row)[madeIdKey]]);
      const json = JSON.stringify(values);
      const day = dayOf(values[timeName]);
      const insertId = insertIdOf(values[idName] ?? madeId ?? line);
      return { insertId, json, ...(day !== undefined && { day }) };
    });
  };
}

/** The day of a time, `2026-01-31T...`, as in the names of tables. */
function dayOf(time: unknown): string | undefined {
  return typeof time === 'string' ? time.slice(0, 10).replaceAll('-', '') : undefined;
}

/** BigQuery's limit, in characters: https://cloud.google.com/bigquery/quotas#streaming_inserts */
const maxIdLength = 128;

function insertIdOf(id: unknown): string {
  return typeof id === 'string' && id.length > 0 && id.length <= maxIdLength
    ? id
    : digest(JSON.stringify(id));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

interface InsertEventsOptions {
  readonly inserter: RowInserter;
  /** The current sources. */
  readonly sources: () => readonly Source[];
  /** Parses a body to whole rows. */
  readonly parse: ParseEvents;
  /** Maximum time for the rows of a source, in milliseconds. */
  readonly timeoutMs: number;
}

/** Returns a function that adds the events of a body to BigQuery's tables. */
export function insertEvents({ inserter, sources, parse, timeoutMs }: InsertEventsOptions): AddEvents {
  return async (body, request, signal): Promise<EventOutcome> => {
    const current = sources();
    const parsed = await parse(body, { ...request, rows: 'whole' }, current);
    const rejected = rejectionsOf(parsed);
    if (parsed.rejectedCount > 0 && !request.partial) return { kind: 'rejected', rejected };
    const rows: AddedRows[] = [];
    const refused: Rejection[] = [];
    for (const ofSource of parsed.sources) {
      const source = current.find(({ name }) => name === ofSource.source);
      if (source === undefined) throw new TypeError(`no source ${ofSource.source}`);
      const more = await insertRows(inserter, source, ofSource, {
        partial: request.partial,
        signal,
        timeoutMs,
      });
      refused.push(...more);
      const imported = ofSource.count - more.length;
      rows.push({ source: source.name, imported, duplicates: 0, newest: ofSource.maxTimestamp });
    }
    const all = {
      events: [...rejected.events, ...refused],
      counts: [...rejected.counts, ...countsOf(refused)],
    };
    return refused.length > 0 && !request.partial
      ? { kind: 'rejected', rejected: all }
      : { kind: 'added', rows, rejected: all, conflicts: parsed.conflicts };
  };
}

/** Returns the rows that BigQuery rejected. Without `partial`, it added none then. */
async function insertRows(
  inserter: RowInserter,
  source: Source,
  { parts }: SourceRows,
  options: InsertOptions,
): Promise<Rejection[]> {
  const convert = rowsToInsert(source);
  const given: RowToInsert[] = [];
  for (const part of parts) {
    given.push(...convert(wholeRows(part)));
    // Other requests have their turns.
    await setImmediate();
  }
  const rejected = await inserter.insert(source, given, options).catch((error: unknown) => {
    // The rows before them are there: only its message says so.
    if (error instanceof RowsRejected && error.added === 0) return error.rejected;
    throw error;
  });
  return rejected.map((row) => rejectionOf(source, row, given[row.index]?.json ?? ''));
}

function wholeRows(part: ParsedRows) {
  if ('text' in part) return part;
  throw new TypeError('rows for BigQuery are whole');
}

function rejectionOf({ name: source }: Source, { index, reason }: RejectedRow, text: string): Rejection {
  return { source, unit: 'row', index: index + 1, reason, cause: 'bigquery', text };
}

function countsOf(rejections: readonly Rejection[]) {
  return [...Map.groupBy(rejections, ({ source }) => source)].map(([source, own]) => ({
    source,
    cause: 'bigquery' as const,
    count: own.length,
  }));
}
