import { GatewayError } from '../../../base/errors/errors.ts';
import type { Destination } from './destination.ts';
import type { RejectedRow, RowToInsert } from './row-inserter.ts';

/**
 * Limits of a request: https://cloud.google.com/bigquery/quotas#streaming_inserts. A request may have 10 MB
 * (10,485,760 bytes); some room is left for what is around the rows.
 */
const maxBytes = 10_000_000;
const maxRows = 50_000;

/** Each day of a wildcard source needs a request and a table. */
const maxDestinations = 100;

/** Some rows of a call that are sent together: BigQuery adds all of them, or none if one is invalid. */
export interface InsertRequest {
  readonly destination: Destination;
  /** The position of each row among those of the call. */
  readonly indexes: readonly number[];
  /** The rows as JSON. */
  readonly rows: readonly string[];
  readonly bytes: number;
}

interface Requests {
  readonly requests: readonly InsertRequest[];
  /** Rows that can't be sent at all. */
  readonly rejected: readonly RejectedRow[];
}

/**
 * Divides rows into as few requests as their tables and BigQuery's limits allow.
 *
 * @throws GatewayError BAD_USER_INPUT for rows of too many days
 */
export function insertRequests(
  rows: readonly RowToInsert[],
  destinationOf: (row: RowToInsert) => Destination | string,
): Requests {
  const requests: InsertRequest[] = [];
  const rejected: RejectedRow[] = [];
  const open = new Map<Destination['templateSuffix'], { indexes: number[]; rows: string[]; bytes: number }>();
  for (const [index, row] of rows.entries()) {
    const destination = destinationOf(row);
    if (typeof destination === 'string') {
      rejected.push({ index, reason: destination });
      continue;
    }
    const text = `{"insertId":${JSON.stringify(row.insertId)},"json":${row.json}}`;
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > maxBytes) {
      rejected.push({ index, reason: `${bytes} bytes, more than BigQuery accepts (${maxBytes})` });
      continue;
    }
    let request = open.get(destination.templateSuffix);
    if (request === undefined || request.bytes + bytes > maxBytes || request.rows.length === maxRows) {
      request = { indexes: [], rows: [], bytes: 0 };
      open.set(destination.templateSuffix, request);
      requests.push(Object.assign(request, { destination }));
    }
    request.indexes.push(index);
    request.rows.push(text);
    request.bytes += bytes;
    if (open.size > maxDestinations) throw tooManyDays();
  }
  return { requests, rejected };
}

/** The body of a request. */
export function requestBody({ destination, rows }: InsertRequest, partial: boolean): string {
  const { templateSuffix } = destination;
  const head = JSON.stringify({
    skipInvalidRows: partial,
    ignoreUnknownValues: false,
    ...(templateSuffix !== undefined && { templateSuffix }),
  });
  return `${head.slice(0, -1)},"rows":[${rows.join(',')}]}`;
}

function tooManyDays(): GatewayError {
  return new GatewayError(
    'BAD_USER_INPUT',
    `The rows are of more than ${maxDestinations} days, each of which has a table of its own. Send fewer days at once.`,
  );
}
