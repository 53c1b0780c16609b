import { randomUUID } from 'node:crypto';

/** A request of an edge log row, as much of it as the endpoints look at. */
export interface Request {
  readonly url: string;
  readonly path: string;
}

export interface EdgeRow {
  readonly id: string;
  readonly timestamp: string;
  readonly project: string | null;
  readonly event_message?: string;
  readonly metadata?: readonly { readonly request?: readonly Request[] }[];
}

export function edgeRow(timestamp: string | Date, project: string, ...paths: string[]): EdgeRow {
  const requests = paths.map((path) => ({ path, url: `https://${project}.example.co${path}` }));
  return {
    id: randomUUID(),
    timestamp: typeof timestamp === 'string' ? timestamp : timestamp.toISOString(),
    project,
    event_message: `GET ${paths.join(' ')}`,
    metadata: [{ request: requests }],
  };
}

const areas = { rest: '/rest', storage: '/storage', auth: '/auth', realtime: '/realtime' };

const midnight = '0000-00-00T00:00:00';

/**
 * The rows that `usage.api-counts` should answer, recomputed from its specification: requests whose URL matches,
 * by bucket, each area counted for itself.
 *
 * @param bucketLength how many characters of `2025-01-31T10:00:00` tell the bucket
 */
export function apiCounts(rows: readonly EdgeRow[], project: RegExp, since: Date, bucketLength: number) {
  const buckets = new Map<string, Record<string, number>>();
  for (const { timestamp, metadata = [] } of rows) {
    if (Date.parse(timestamp) < since.getTime()) continue;
    for (const { path, url } of metadata.flatMap(({ request = [] }) => request)) {
      if (!project.test(url)) continue;
      const bucket = new Date(timestamp).toISOString().slice(0, bucketLength) + midnight.slice(bucketLength);
      const counts = buckets.get(bucket) ?? { rest: 0, storage: 0, auth: 0, realtime: 0 };
      for (const [area, part] of Object.entries(areas)) {
        if (path.includes(part)) counts[area] = (counts[area] ?? 0) + 1;
      }
      buckets.set(bucket, counts);
    }
  }
  return [...buckets].sort().map(([bucket, counts]) => ({
    timestamp: bucket,
    total_rest_requests: counts.rest,
    total_storage_requests: counts.storage,
    total_auth_requests: counts.auth,
    total_realtime_requests: counts.realtime,
  }));
}
