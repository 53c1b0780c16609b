import { GatewayError } from '../../../../base/errors/errors.ts';
import type { DuckDbEngine } from '../../../../engines/duckdb/run/duckdb-engine.ts';
import type { ErrorProto } from '../wire/google-error.ts';
import type { JobResult } from './job.ts';
import type { PlannedJob } from './plan-job.ts';

/** The largest result that the emulator keeps for a job, in rows. */
const maxRows = 1_000_000;

/** Runs a planned query on the embedded engine. Returns the rows, or the job's error. */
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
    return { columns, rows: await rows.all(), cacheHit: false };
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
