import type { Job } from '../jobs/job.ts';
import { costOf } from '../jobs/job-resource.ts';
import { timestampFormat } from '../jobs/page.ts';
import { type PlannedJob, planJob } from '../jobs/plan-job.ts';
import { type QuerySpec, readQuery, type SyncRequest } from '../jobs/query-spec.ts';
import { GoogleError } from '../wire/google-error.ts';
import { queryRequest } from '../wire/message.ts';
import { etagOf } from '../wire/request.ts';
import { resultSchema } from '../wire/results.ts';
import { type Backend, type Call, type Method, part, projectPath, readBody } from './call.ts';
import { type ResultsAnswer, resultsAnswer } from './results-answer.ts';
import { locationOf, startJob } from './start-job.ts';

const kind = 'bigquery#queryResponse';
export const defaultWaitMs = 10_000;
/** The maximum wait, whatever the request allows. */
export const maxWaitMs = 200_000;

export const query: Method = {
  method: 'POST',
  path: `${projectPath}/queries`,
  query: {},
  async handle(call, backend) {
    const projectId = part(call, 'project');
    const asked = readQuery(readBody(call.request, queryRequest, 'query_request'), projectId);
    const { spec, requestId, maxResults, timeoutMs } = asked;
    if (requestId !== undefined && !/^[\x20-\x7e]{0,36}$/.test(requestId)) {
      throw GoogleError.invalid('Invalid request ID: it may have up to 36 ASCII characters', 'requestId');
    }
    const timestamps = timestampFormat(asked.timestampOutputFormat, asked.useInt64Timestamp);
    const location = locationOf(spec, backend);
    if (spec.dryRun) return dryRunAnswer(spec, await planJob(spec, location, backend), location);

    const job = await jobFor(asked, location, call, backend);
    await job.wait(Math.min(timeoutMs ?? defaultWaitMs, maxWaitMs));
    const page = { start: 0, maxRows: maxResults ?? Number.POSITIVE_INFINITY, timestamps };
    const results = resultsAnswer(job, page, call);
    const isJobless = asked.isJobOptional && results.isComplete && !results.hasMore;
    if (isJobless) backend.jobs.hide(job);
    const answer = {
      kind,
      ...results.json,
      queryId: backend.newId(),
      ...(!isJobless && jobFields(asked, job, results)),
      ...timesAndCost(job, results),
    };
    return { ...answer, etag: etagOf(answer) };
  },
};

async function jobFor(
  { requestId, spec }: SyncRequest,
  location: string,
  call: Call,
  backend: Backend,
): Promise<Job> {
  const known =
    requestId === undefined ? undefined : backend.requestIds.find(requestId, spec, backend.clock.now());
  if (known !== undefined) return known;
  const reference = { projectId: spec.projectId, jobId: `job_${backend.newId()}`, location };
  const job = await startJob(spec, reference, 'answer', call, backend);
  if (requestId !== undefined) backend.requestIds.add(requestId, job);
  return job;
}

/** The fields of a job. A short query has none if the request allows that and its rows fit into one response. */
function jobFields({ isJobOptional }: SyncRequest, job: Job, { isComplete }: ResultsAnswer): object {
  const code = !isJobOptional ? 'REQUESTED' : isComplete ? 'LARGE_RESULTS' : 'LONG_RUNNING';
  return { jobReference: job.reference, jobCreationReason: { code } };
}

function timesAndCost(job: Job, { isComplete }: ResultsAnswer): object {
  const times = { creationTime: String(job.creationTime), startTime: String(job.creationTime) };
  const location = { location: job.reference.location };
  if (!isComplete) return { ...times, ...location };
  const { bytesBilled, slotMs } = costOf(job);
  return {
    ...times,
    endTime: String(job.endTime),
    ...location,
    statementType: 'SELECT',
    totalBytesBilled: String(bytesBilled),
    totalSlotMs: String(slotMs),
  };
}

function dryRunAnswer(
  { projectId }: QuerySpec,
  { plan, bytesProcessed }: PlannedJob,
  location: string,
): object {
  const answer = {
    kind,
    schema: resultSchema(plan.columns),
    jobReference: { projectId, location },
    totalBytesProcessed: String(bytesProcessed),
    jobComplete: true,
    cacheHit: false,
  };
  return { ...answer, etag: etagOf(answer) };
}
