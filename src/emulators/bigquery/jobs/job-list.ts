import { GoogleError } from '../google-error.ts';
import type { Job, JobReference } from './job.ts';

/** Where jobs are found without a word about their location. */
const foundAnywhere = new Set(['US', 'EU']);

/** As BigQuery writes locations: multi-regions in capitals, regions in small letters. */
export function normalLocation(location: string): string {
  const upper = location.toUpperCase();
  return foundAnywhere.has(upper) ? upper : location.toLowerCase();
}

/** How many jobs that are done are remembered, with their rows; BigQuery remembers rows for a day. */
const maxDone = 1000;

/** The jobs of a server. */
export class JobList {
  readonly #jobs = new Map<string, Job>();
  readonly #hidden = new WeakSet<Job>();

  /** The newest first, hidden ones too. */
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
    if (this.#jobs.size > maxDone) this.#forgetOldest();
  }

  /** Those that BigQuery would tell of, the newest first. */
  get visible(): readonly Job[] {
    return this.all.filter((job) => !this.#hidden.has(job));
  }

  /** Whoever asked for its rows has them: to the outside, there never was such a job. */
  hide(job: Job): void {
    this.#hidden.add(job);
  }

  /**
   * Finds a job as BigQuery does: by its location, too, which only jobs in the US and in the EU are found without.
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

  #forgetOldest(): void {
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
