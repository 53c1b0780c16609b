import type { DuckDBConnection } from '@duckdb/node-api';
import { TimeSlice } from '../../../../base/async/time-slice.ts';
import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { duckType } from '../../dialect/duck-type.ts';
import type { RowTable } from '../tables/row-table.ts';
import { fromText } from './flat-batch.ts';
import { type IngestBatch, type IngestPart, partRows } from './ingest-batch.ts';
import type { TimeRange } from './time-ranges.ts';

/** A part of a batch, with its ids. */
export interface PartKeys {
  readonly batch: IngestBatch;
  readonly part: IngestPart;
  readonly ids: readonly string[];
  /** An empty text where there is none. */
  readonly formerIds: readonly string[] | undefined;
}

/** Gives the indexes of the rows of a part to leave out. To be called for each part, in order. */
type RowsLeftOut = (keys: PartKeys) => ReadonlySet<number>;

/** Leaves out the rows whose ids are taken already, and takes the others. */
export function ofFirst(taken: Set<string>): RowsLeftOut {
  return ({ ids, formerIds }) => {
    const dropped = new Set<number>();
    for (const [index, id] of ids.entries()) {
      const former = formerIds?.[index];
      if (taken.has(id) || (former !== undefined && taken.has(former))) dropped.add(index);
      else taken.add(id);
    }
    return dropped;
  };
}

/** Leaves out the rows whose ids come once more. */
export function repeatedLater(given: readonly PartKeys[]): RowsLeftOut {
  const later = new Set<string>();
  const dropped = new Map<PartKeys, ReadonlySet<number>>();
  for (const keys of given.toReversed()) {
    const own = new Set<number>();
    for (const [index, id] of [...keys.ids.entries()].toReversed()) {
      if (later.has(id)) own.add(index);
      else later.add(id);
    }
    dropped.set(keys, own);
  }
  return (keys) => dropped.get(keys) ?? new Set();
}

/** Types of which a value has one text in the store's form. */
const oneText: ReadonlySet<SqlType['kind']> = new Set(['STRING', 'INT64', 'BOOL', 'DATE', 'BYTES']);

/** The texts that ids have in the store, of texts in the form of rows. */
export async function storedTexts(
  connection: DuckDBConnection,
  { type }: SourceColumn,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (oneText.has(type.kind)) return ids;
  const value = fromText({ type: duckType(type) }, 'v');
  const reader = await connection.runAndReadAll(
    `SELECT CAST(${value} AS VARCHAR) FROM (SELECT unnest(from_json($1, '["VARCHAR"]')) AS v)`,
    [JSON.stringify(ids)],
  );
  return reader.getRows().map(([text]) => String(text));
}

/**
 * Which of the ids the tables have within the time ranges. It reads only the row groups with such times, so its time doesn't
 * depend on the size of the tables. Rows without times are all read.
 */
export async function knownIds(
  connection: DuckDBConnection,
  tables: readonly RowTable[],
  given: readonly PartKeys[],
  ranges: readonly TimeRange[],
): Promise<Set<string>> {
  const slice = new TimeSlice();
  const texts: string[] = [];
  let ids: string[] = [];
  for (const [i, keys] of given.entries()) {
    ids.push(...keys.ids, ...(keys.formerIds?.filter((id) => id !== '') ?? []));
    if (i < given.length - 1 && ids.length < partRows) continue;
    texts.push(JSON.stringify(ids));
    ids = [];
    if (slice.isOver) await slice.yield();
  }
  // One SELECT for each range: DuckDB doesn't prune by ranges that are joined by OR.
  const selects = tables.flatMap(({ sql, key: { id, timeName, within } }) =>
    (timeName === undefined ? ['true'] : ranges.map(({ from, to }) => within(from, to))).map(
      (isInTime) => `SELECT ${id} FROM ${sql} WHERE ${isInTime} AND ${id} IN (SELECT id FROM given)`,
    ),
  );
  const known = new Set<string>();
  if (selects.length === 0 || given.every(({ ids }) => ids.length === 0)) return known;
  const unnested = texts.map((_, i) => `SELECT unnest(from_json($${i + 1}, '["VARCHAR"]')) AS id`);
  const statement = await connection.prepare(
    `WITH given AS MATERIALIZED (${unnested.join(' UNION ALL ')}) ${selects.join(' UNION ALL ')}`,
  );
  try {
    for (const [i, text] of texts.entries()) {
      statement.bindVarchar(i + 1, text);
      if (slice.isOver) await slice.yield();
    }
    const result = await statement.run();
    for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; ) {
      for (const id of chunk.getColumnValues(0)) known.add(String(id));
      if (slice.isOver) await slice.yield();
      chunk = await result.fetchChunk();
    }
    return known;
  } finally {
    statement.destroySync();
  }
}
