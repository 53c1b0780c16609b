import { GoogleError } from '../wire/google-error.ts';
import { encodeRow, type TimestampFormat, type WireRow } from '../wire/results.ts';
import type { JobResult } from './job.ts';

/** The approximate maximum size of a response. */
const maxBytes = 10_000_000;

export interface PageRequest {
  readonly start: number;
  readonly maxRows: number;
  readonly timestamps: TimestampFormat;
}

export interface Page {
  readonly rows: readonly WireRow[];
  /** The start of the next page. Undefined if there is none. */
  readonly next: number | undefined;
}

/** A page of a result: as many rows as requested, or as fit into one response, but at least one. */
export function pageOf({ columns, rows }: JobResult, { start, maxRows, timestamps }: PageRequest): Page {
  const page: WireRow[] = [];
  let bytes = 0;
  for (const row of rows.slice(start, start + maxRows)) {
    const encoded = encodeRow(columns, row, timestamps);
    bytes += Buffer.byteLength(JSON.stringify(encoded));
    if (page.length > 0 && bytes > maxBytes) break;
    page.push(encoded);
  }
  const next = start + page.length;
  return { rows: page, next: next < rows.length ? next : undefined };
}

/** The page token for a position in a job's result. */
export function pageToken(jobId: string, start: number): string {
  return Buffer.from(JSON.stringify([jobId, start])).toString('base64url');
}

/** @throws GoogleError if the token isn't one of the job's */
export function readPageToken(token: string, jobId: string): number {
  const text = Buffer.from(token, 'base64url').toString();
  const start = /,(\d+)\]$/.exec(text)?.[1];
  if (start === undefined || pageToken(jobId, Number(start)) !== token) {
    throw GoogleError.invalid(`Invalid page token: ${token}`, 'pageToken');
  }
  return Number(start);
}

/** @throws GoogleError if both ways to give the position are used */
export function timestampFormat(format: string | undefined, isInt64: boolean): TimestampFormat {
  if (format === undefined || format === 'TIMESTAMP_OUTPUT_FORMAT_UNSPECIFIED') {
    return isInt64 ? 'INT64' : 'FLOAT64';
  }
  if (isInt64) {
    throw GoogleError.invalid('useInt64Timestamp and timestampOutputFormat cannot both be set');
  }
  return format === 'INT64' || format === 'ISO8601_STRING' ? format : 'FLOAT64';
}
