import { z } from 'zod';
import { RowError, rowLine } from '../rows/row-line.ts';
import { targetTable } from '../rows/streaming.ts';
import { GoogleError } from '../wire/google-error.ts';
import { tableDataInsertAllRequest } from '../wire/message.ts';
import { type Method, part, projectPath, readBody } from './call.ts';

/** Limits: https://cloud.google.com/bigquery/quotas#streaming_inserts */
const maxRows = 50_000;
const maxInsertIdLength = 128;

const requestSchema = z.object({
  rows: z
    .array(z.object({ insertId: z.string().nullish(), json: z.record(z.string(), z.unknown()).nullish() }))
    .nullish(),
  skipInvalidRows: z.boolean().nullish(),
  ignoreUnknownValues: z.boolean().nullish(),
  templateSuffix: z.string().nullish(),
});

interface RowProto {
  readonly reason: string;
  readonly message: string;
  readonly location?: string;
}

/** Streams rows into a table. If some are invalid, the response names them, with status 200. */
export const insertAll: Method = {
  method: 'POST',
  path: `${projectPath}/datasets/:dataset/tables/:table/insertAll`,
  query: {},
  async handle(call, { tables, streaming }) {
    const body = readBody(call.request, tableDataInsertAllRequest, 'table_data_insert_all_request');
    const { rows, skipInvalidRows, ignoreUnknownValues, templateSuffix } = requestSchema.parse(body);
    const reference = {
      projectId: part(call, 'project'),
      datasetId: part(call, 'dataset'),
      tableId: part(call, 'table'),
    };
    const { table, name, day } = targetTable(tables, reference, templateSuffix ?? '');
    if (streaming === undefined) throw notImplemented('no rows can be streamed into its tables');
    checkRows(rows ?? []);
    const errors = new Map<number, RowProto>(
      call.fault?.rowErrors?.map(({ index, ...error }) => [index, error]),
    );
    const valid: { readonly insertId: string | undefined; readonly line: string }[] = [];
    for (const [index, { insertId, json }] of (rows ?? []).entries()) {
      if (errors.has(index)) continue;
      try {
        const line = rowLine(table.columns, json ?? {}, {
          ignoreUnknownValues: ignoreUnknownValues ?? false,
        });
        if (day !== undefined) checkDay(line, day);
        valid.push({ insertId: insertId || undefined, line });
      } catch (error) {
        if (!(error instanceof RowError)) throw error;
        errors.set(index, { reason: 'invalid', location: error.location, message: error.message });
      }
    }
    const isStopped = errors.size > 0 && !skipInvalidRows;
    if (!isStopped) await streaming.add(name, table.source, valid);
    return insertAnswer(errors, isStopped ? (rows ?? []).length : 0);
  },
};

function checkRows(rows: readonly { readonly insertId?: string | null | undefined }[]): void {
  if (rows.length === 0) throw GoogleError.invalid('No rows present in the request.');
  if (rows.length > maxRows) {
    const message = `too many rows present in the request, limit: ${maxRows} row count: ${rows.length}.`;
    throw GoogleError.invalid(message);
  }
  if (rows.some(({ insertId }) => (insertId ?? '').length > maxInsertIdLength)) {
    throw GoogleError.invalid(`The insertId is longer than ${maxInsertIdLength} characters.`);
  }
}

/** The store keeps a row of a wildcard source by its timestamp, BigQuery in the table that it was sent to. */
function checkDay(line: string, day: string): void {
  const { timestamp } = z.object({ timestamp: z.string() }).parse(lowerCased(JSON.parse(line)));
  if (!timestamp.startsWith(day)) throw notImplemented(`no rows of another day in a table of ${day}`);
}

function lowerCased(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
}

function notImplemented(what: string): GoogleError {
  return new GoogleError({ reason: 'notImplemented', message: `This server has ${what}` });
}

/** @param stopped the number of rows, of which those without an error were not added because of the others */
function insertAnswer(errors: ReadonlyMap<number, RowProto>, stopped: number): object {
  const proto = ({ reason, location = '', message }: RowProto) => ({
    reason,
    location,
    debugInfo: '',
    message,
  });
  const others = Array.from({ length: stopped }, (_, index) => index).filter((index) => !errors.has(index));
  const insertErrors = [
    ...[...errors].map(([index, error]) => ({ index, errors: [proto(error)] })),
    ...others.map((index) => ({ index, errors: [proto({ reason: 'stopped', message: '' })] })),
  ];
  return {
    kind: 'bigquery#tableDataInsertAllResponse',
    ...(insertErrors.length > 0 && { insertErrors }),
  };
}
