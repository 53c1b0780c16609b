import { GoogleError } from '../wire/google-error.ts';
import type { Job, JobReference } from './job.ts';

/** The locations in which jobs are found without naming the location. */
const foundAnywhere = new Set(['US', 'EU']);

/** A location in BigQuery's spelling: multi-regions in upper case, regions in lower case. */
export function normalLocation(location: string): string {
  const upper = location.toUpperCase();
  return foundAnywhere.has(upper) ? upper : location.toLowerCase();
}

/** The number of completed jobs to retain with their rows. BigQuery retains rows for a day. */
const maxDone = 1000;

/** The jobs of a server. */
export class JobList {
  readonly #jobs = new Map<string, Job>();
  readonly #hidden = new WeakSet<Job>();

  /** All jobs, including hidden ones, newest first. */
  get all(): readonly Job[] {
    return [...this.#jobs.values()].reverse();
  }

  /** @throws GoogleError duplicate, when the id has been used */
  assertNew(reference: JobReference): void {
    if (!this.#jobs.has(keyOf(reference))) return;
    const { projectId, location, jobId } = reference;
    throw new GoogleError({
      reason: 'duplicate',
      message: `Already Exists: Job ${projectId}:${location}.${jobId}`,
    });
  }

  add(job: Job): void {
    this.assertNew(job.reference);
    this.#jobs.set(keyOf(job.reference), job);
    if (this.#jobs.size > maxDone) this.#evictOldest();
  }

  /** The jobs that BigQuery would list, newest first. */
  get visible(): readonly Job[] {
    return this.all.filter((job) => !this.#hidden.has(job));
  }

  /** Hides a job whose caller already has all rows: BigQuery doesn't create a job then. */
  hide(job: Job): void {
    this.#hidden.add(job);
  }

  /**
   * Finds a job as BigQuery does: the location is required, except for jobs in the US and in the EU.
   *
   * @throws GoogleError notFound
   */
  find(projectId: string, jobId: string, location: string | undefined): Job {
    const candidates = location === undefined ? foundAnywhere : [normalLocation(location)];
    for (const candidate of candidates) {
      const job = this.#jobs.get(keyOf({ projectId, jobId, location: candidate }));
      if (job !== undefined && !this.#hidden.has(job)) return job;
    }
    const place = location === undefined ? '' : `${normalLocation(location)}.`;
    throw GoogleError.notFound(`Job ${projectId}:${place}${jobId}`);
  }

  #evictOldest(): void {
    for (const [key, job] of this.#jobs) {
      if (!job.isDone) continue;
      this.#jobs.delete(key);
      return;
    }
  }
}

function keyOf({ projectId, location, jobId }: JobReference): string {
  return JSON.stringify([projectId, location, jobId]);
}
