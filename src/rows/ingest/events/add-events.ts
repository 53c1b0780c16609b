import type { Source } from '../../../definitions/sources/source.ts';
import type { IngestBatch, IngestCounts } from '../../../engines/duckdb/store/insert/ingest-batch.ts';
import type { Store } from '../../../engines/duckdb/store/store.ts';
import { SourceChanged } from '../../../engines/duckdb/store/tables/source-changed.ts';
import { type EventOutcome, rejectionsOf } from './event-outcome.ts';
import type { EventRequest } from './event-request.ts';
import type { ParsedEvents, SourceRows } from './parsed-events.ts';

/** Parses a body, in any thread: see `EventParser.parse`. */
export type ParseEvents = (
  body: Uint8Array,
  request: EventRequest,
  sources: readonly Source[],
) => Promise<ParsedEvents>;

/** A source may get new fields between the parsing of a body and its commit, but hardly as often. */
const maxTries = 20;

/** Adds the events of a body to the store: see `AddEvents`. Rows that wait for their commit can't be taken back. */
export async function addEvents(
  store: Pick<Store, 'sources' | 'ingest'>,
  parse: ParseEvents,
  body: Uint8Array,
  request: EventRequest,
): Promise<EventOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await addParsed(store, parse, body, request);
    } catch (error) {
      if (!(error instanceof SourceChanged) || tries === maxTries) throw error;
    }
  }
}

async function addParsed(
  store: Pick<Store, 'sources' | 'ingest'>,
  parse: ParseEvents,
  body: Uint8Array,
  request: EventRequest,
): Promise<EventOutcome> {
  const { sources } = store;
  const parsed = await parse(body, request, sources);
  if (parsed.newFields.length > 0) return { kind: 'new-fields', newFields: parsed.newFields };
  const rejected = rejectionsOf(parsed);
  if (parsed.rejectedCount > 0 && !request.partial) return { kind: 'rejected', rejected };
  const counts = await store.ingest(
    parsed.sources.map((rows) => batchOf(rows, sources)),
    request.account,
  );
  const rows = parsed.sources.map((ofSource, index) => addedOf(ofSource, counts[index]));
  return { kind: 'added', rows, rejected, conflicts: parsed.conflicts };
}

function batchOf(
  { source: name, parts, minTimestamp, ranges }: SourceRows,
  sources: readonly Source[],
): IngestBatch {
  const source = sources.find((each) => each.name === name);
  if (source === undefined) throw new TypeError(`no source ${name}`);
  return { source, parts, minTimestamp, ranges };
}

function addedOf({ source, maxTimestamp }: SourceRows, counts: IngestCounts | undefined) {
  if (counts === undefined) throw new TypeError('a batch has no counts');
  return { source, ...counts, newest: maxTimestamp };
}
