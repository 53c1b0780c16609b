import type { DuckDbEngine } from '../../../engines/duckdb/duckdb-engine.ts';
import { GatewayError } from '../../../errors.ts';
import type { Column, SqlType } from '../../../sql/type.ts';
import type { Row, Value } from '../../../sql/value.ts';
import type { ErrorProto } from '../google-error.ts';
import { resultSchema } from '../wire/table-schema.ts';
import type { JobResult } from './job.ts';
import type { PlannedJob } from './plan-job.ts';

/** The largest result that this server keeps for a job, in rows. */
const maxRows = 1_000_000;

/** Runs a planned query on the embedded engine. Gives the rows, or the error that the job fails with. */
export async function runJob(
  { plan, values }: PlannedJob,
  engine: Pick<DuckDbEngine, 'run'>,
  signal: AbortSignal,
): Promise<JobResult | ErrorProto> {
  try {
    const { columns, rows, truncated } = await engine.run({ plan, parameters: values, maxRows, signal });
    if (truncated) {
      return {
        reason: 'responseTooLarge',
        message:
          'Response too large to return. Consider specifying a destination table in your job configuration.',
      };
    }
    const column = columnWithNullElement(columns, rows);
    if (column === undefined) return { columns, rows, cacheHit: false };
    return invalidQuery(`Array cannot have a null element; error in writing field ${column}`);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    switch (error.code) {
      case 'QUERY_FAILED':
      case 'BAD_USER_INPUT':
        return invalidQuery(error.message);
      default:
        return {
          reason: 'backendError',
          message: 'Error encountered during execution. Retrying may solve the problem.',
        };
    }
  }
}

function invalidQuery(message: string): ErrorProto {
  return { reason: 'invalidQuery', message, location: 'query' };
}

/** The first column of which a value holds an array with a NULL in it, which BigQuery's results can't have. */
function columnWithNullElement(columns: readonly Column[], rows: readonly Row[]): string | undefined {
  const { fields } = resultSchema(columns);
  const index = columns.findIndex(
    ({ type }, i) => hasArray(type) && rows.some((row) => hasNullElement(type, row[i] ?? null)),
  );
  return fields[index]?.name;
}

function hasArray(type: SqlType): boolean {
  return (
    type.kind === 'ARRAY' || (type.kind === 'STRUCT' && type.fields.some((field) => hasArray(field.type)))
  );
}

function hasNullElement(type: SqlType, value: Value): boolean {
  if (!Array.isArray(value)) return false;
  const parts: readonly Value[] = value;
  if (type.kind === 'ARRAY') {
    return parts.some((element) => element === null || hasNullElement(type.element, element));
  }
  return (
    type.kind === 'STRUCT' && type.fields.some((field, i) => hasNullElement(field.type, parts[i] ?? null))
  );
}
