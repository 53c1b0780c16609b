import type { Source, SourceSettings } from '../../../../src/definitions/sources/source.ts';
import { nullMark, valueSeparator } from '../../../../src/engines/duckdb/store/insert/flat-batch.ts';
import { flatColumns } from '../../../../src/engines/duckdb/store/tables/flat-layout.ts';
import { defaultEventLimits, type EventRequest } from '../../../../src/rows/ingest/events/event-request.ts';
import { parseEvents } from '../../../../src/rows/ingest/events/parse-events.ts';
import type { ParsedEvents } from '../../../../src/rows/ingest/events/parsed-events.ts';
import { makeSource } from '../../../engines/duckdb/store/support.ts';

/** 2023-11-14T22:13:20Z, in microseconds. */
export const arrival = 1_700_000_000_000_000n;

/** The default limits, but events may have any time. */
export const anyTime = {
  ...defaultEventLimits,
  times: { maxPastDays: 800_000, maxFutureSeconds: 3_155_760_000 },
};

export const request = { format: 'json', source: 'app', receivedAt: arrival, partial: false } as const;

/** A source named `app` with a message and some metadata. */
export function appSource(settings: Partial<SourceSettings> = {}): Source {
  const headers = {
    name: 'headers',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [{ name: 'host', type: 'STRING' }],
  };
  const metadata = [
    { name: 'status', type: 'INT64' },
    { name: 'level', type: 'STRING' },
    { name: 'tags', type: 'STRING', mode: 'REPEATED' },
    { name: 'at', type: 'STRING' },
    headers,
  ];
  const source = makeSource(
    'app',
    { name: 'event_message', type: 'STRING' },
    { name: 'project', type: 'STRING' },
    { name: 'metadata', type: 'RECORD', mode: 'REPEATED', fields: metadata },
  );
  return { ...source, ...settings };
}

/** Parses a body: bytes, a text, or a value as JSON. */
export function parse(
  body: unknown,
  source: Source = appSource(),
  options: Partial<EventRequest> = {},
): ParsedEvents {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = body instanceof Uint8Array ? body : Buffer.from(text);
  return parseEvents(bytes, { ...request, ...options }, [source], anyTime);
}

/** The flat rows of the one source as objects of texts, without NULLs. */
export function flatRows(parsed: ParsedEvents, source: Source = appSource()): Record<string, string>[] {
  if (parsed.rejected[0] !== undefined) throw new Error(parsed.rejected[0].reason);
  const [rows] = parsed.sources[0]?.parts ?? [];
  if (rows === undefined || !('columns' in rows)) return [];
  const names = flatColumns(source.columns).map(({ name }) => name);
  return Array.from({ length: rows.rows }, (_, row) => {
    const values = rows.columns.map((column) => {
      if (typeof column === 'boolean') return String(column);
      return column?.split(valueSeparator)[row] ?? nullMark;
    });
    const entries = names.map((name, i): [string, string] => [name, values[i] ?? nullMark]);
    return Object.fromEntries(entries.filter(([, value]) => value !== nullMark));
  });
}

/** The one flat row of an event. */
export function rowOf(event: unknown, source = appSource()): Record<string, string> {
  return flatRows(parse(event, source), source)[0] ?? {};
}

/** The reasons of rejected events, with their places. */
export function reasons({ rejected }: ParsedEvents): string[] {
  return rejected.map(({ unit, index, cause, reason }) => `${unit} ${index}: ${cause}: ${reason}`);
}
