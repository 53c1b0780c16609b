import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ApiError, NoCredentials } from './api-error.ts';
import type { HttpCall } from './http-call.ts';
import { isSignOfBeingDown } from './retryable.ts';

const attemptTimeoutMs = 5000;

/**
 * Checks whether BigQuery is available by a dry run, which costs nothing. An error about the query itself also shows
 * that it is.
 */
export function dryRunProbe(http: HttpCall, project: string, location: string | undefined) {
  return async (signal: AbortSignal): Promise<void> => {
    try {
      await http({
        method: 'POST',
        path: `/projects/${encodeURIComponent(project)}/jobs`,
        body: probeBody(project, location),
        answer: z.object({}),
        signal,
        attemptTimeoutMs,
      });
    } catch (error) {
      const isAnswered = error instanceof ApiError && error.status !== undefined && !isSignOfBeingDown(error);
      if (!isAnswered || error instanceof NoCredentials) throw error;
    }
  };
}

/** The `Job` of a dry run of an empty query. It has an id, like those of Google's own clients; no job is created. */
export function probeBody(project: string, location: string | undefined) {
  return {
    jobReference: {
      projectId: project,
      jobId: `endpoint-gateway-probe-${randomUUID()}`,
      ...(location !== undefined && { location }),
    },
    configuration: { dryRun: true, query: { query: 'SELECT 1', useLegacySql: false } },
  };
}
