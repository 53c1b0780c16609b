import type { Source } from '../../../definitions/sources/source.ts';
import type {
  InsertOptions,
  RejectedRow,
  RowInserter,
} from '../../../engines/bigquery/insert/row-inserter.ts';
import { RowsRejected } from '../../../engines/bigquery/insert/rows-rejected.ts';
import type { ParsedRows } from '../../../engines/duckdb/store/insert/row-batch.ts';
import type { ParseEvents } from '../events/add-events.ts';
import { type AddEvents, type AddedRows, type EventOutcome, rejectionsOf } from '../events/event-outcome.ts';
import type { Rejection, SourceRows } from '../events/parsed-events.ts';
import { rowsToInsert } from './rows-to-insert.ts';

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
  { rows }: SourceRows,
  options: InsertOptions,
): Promise<Rejection[]> {
  const convert = rowsToInsert(source.columns);
  const given = rows.flatMap((part) => convert(wholeRows(part)));
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
