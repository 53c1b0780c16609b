import { execute, type GatewayAddress } from './execute.ts';
import { apiCounts, newestLogs } from './operations.ts';

/** The requests of one bucket of time. */
export interface Activity {
  /** A local time without zone, as `2025-01-31T10:00:00`. */
  readonly bucket: string;
  readonly requests: bigint;
}

/** How many requests a project had in the last hour, by minute. */
export async function activity(gateway: GatewayAddress, project: string): Promise<Activity[]> {
  const { usageApiCounts } = await execute(gateway, apiCounts, { interval: 'MINUTELY', project });
  return (usageApiCounts ?? []).map(({ timestamp, totalRestRequests, totalAuthRequests }) => ({
    bucket: timestamp ?? '',
    requests: count(totalRestRequests) + count(totalAuthRequests),
  }));
}

/** The paths of a project's newest requests. */
export async function newestPaths(
  gateway: GatewayAddress,
  project: string,
  limit: number,
): Promise<string[]> {
  const { logsAllTables } = await execute(gateway, newestLogs, { project, limit });
  const requests = (logsAllTables?.edgeLogs ?? [])
    .flatMap(({ metadata }) => metadata ?? [])
    .flatMap(({ request }) => request ?? []);
  return requests.map(({ path }) => path ?? '');
}

function count(digits: string | null): bigint {
  return BigInt(digits ?? 0);
}
