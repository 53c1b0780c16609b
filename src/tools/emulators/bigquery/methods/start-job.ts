import { Job, type JobReference, type JobResult } from '../jobs/job.ts';
import { normalLocation } from '../jobs/job-list.ts';
import { type PlannedJob, planJob } from '../jobs/plan-job.ts';
import type { QuerySpec } from '../jobs/query-spec.ts';
import { runJob } from '../jobs/run-job.ts';
import { GoogleError } from '../wire/google-error.ts';
import type { Backend, Call } from './call.ts';

/** The location of a query: the one in the request, or else that of the data. */
export function locationOf({ location }: QuerySpec, backend: Backend): string {
  return location === undefined ? backend.location : normalLocation(location);
}

/**
 * Creates a job and starts it. An invalid query makes this throw or the job fail, depending on `invalid`.
 *
 * @throws GoogleError
 */
export async function startJob(
  spec: QuerySpec,
  reference: JobReference,
  invalid: 'answer' | 'job',
  { fault }: Pick<Call, 'fault'>,
  backend: Backend,
): Promise<Job> {
  backend.jobs.assertNew(reference);
  let planned: PlannedJob | undefined;
  let refusal: GoogleError | undefined;
  try {
    planned = await planJob(spec, reference.location, backend);
  } catch (error) {
    if (!(error instanceof GoogleError) || invalid === 'answer' || !isOfTheQuery(error)) throw error;
    refusal = error;
  }
  const job = new Job(reference, spec, planned, backend.clock);
  // Another request with the same id may have arrived during planning: then this throws.
  backend.jobs.add(job);
  if (fault?.jobError !== undefined && fault.jobRunsMs === undefined) {
    const { location, ...error } = fault.jobError;
    job.fail({ ...error, ...(location !== undefined && { location }) });
  } else if (planned === undefined) {
    const { location, ...proto } = refusal?.proto ?? { reason: 'internalError', message: 'Not planned' };
    job.fail({
      ...proto,
      ...(location !== undefined && { location: location === 'q' ? 'query' : location }),
    });
  } else if (exceedsLimit(spec, planned)) {
    const limit = spec.query.maximumBytesBilled;
    job.fail({
      reason: 'bytesBilledLimitExceeded',
      message: `Query exceeded limit for bytes billed: ${limit}. ${planned.bytesBilled} or higher required.`,
    });
  } else {
    const ready = planned;
    job.start((signal) => run(ready, spec, signal, fault, backend));
  }
  return job;
}

function isOfTheQuery({ proto }: GoogleError): boolean {
  return proto.reason === 'invalidQuery' || proto.reason === 'notFound';
}

function exceedsLimit({ query }: QuerySpec, { bytesBilled }: PlannedJob): boolean {
  return query.maximumBytesBilled !== undefined && bytesBilled > query.maximumBytesBilled;
}

async function run(
  planned: PlannedJob,
  spec: QuerySpec,
  signal: AbortSignal,
  fault: Call['fault'],
  backend: Backend,
): ReturnType<typeof runJob> {
  if (fault?.jobRunsMs === 'forever') await new Promise(() => {});
  else if (fault?.jobRunsMs !== undefined) await backend.clock.sleep(fault.jobRunsMs, signal);
  if (fault?.jobError !== undefined) {
    const { location, ...error } = fault.jobError;
    return { ...error, ...(location !== undefined && { location }) };
  }
  const key = await backend.cache.key(spec, planned);
  const kept: JobResult | undefined = key === undefined ? undefined : backend.cache.get(key);
  if (kept !== undefined) return kept;
  const outcome = await runJob(planned, backend.engine, signal);
  if (key !== undefined && 'rows' in outcome) backend.cache.set(key, outcome);
  return outcome;
}
