import type { Job } from './job.ts';
import type { QuerySpec } from './query-spec.ts';

const lifetimeMs = 15 * 60_000;

/**
 * The jobs of `jobs.query` by `requestId`: an equal request with the same id, within 15 minutes, gets the same job.
 *
 * Source: `QueryRequest.requestId` in BigQuery's reference
 */
export class RequestIds {
  readonly #jobs = new Map<string, Job>();

  find(requestId: string, spec: QuerySpec, now: number): Job | undefined {
    const job = this.#jobs.get(keyOf(requestId, spec));
    return job !== undefined && now - job.creationTime < lifetimeMs ? job : undefined;
  }

  add(requestId: string, job: Job): void {
    for (const [key, { creationTime }] of this.#jobs) {
      if (job.creationTime - creationTime < lifetimeMs) break;
      this.#jobs.delete(key);
    }
    this.#jobs.set(keyOf(requestId, job.spec), job);
  }
}

function keyOf(requestId: string, spec: QuerySpec): string {
  return JSON.stringify([requestId, spec]);
}
