import { dryRunResource, jobResource } from '../jobs/job-resource.ts';
import { planJob } from '../jobs/plan-job.ts';
import { readInsert } from '../jobs/query-spec.ts';
import { GoogleError } from '../wire/google-error.ts';
import { job as jobMessage } from '../wire/message.ts';
import { type Method, part, projectPath, readBody } from './call.ts';
import { locationOf, startJob } from './start-job.ts';

const jobIdPattern = /^[A-Za-z0-9_-]{1,1024}$/;

export const insertJob: Method = {
  method: 'POST',
  path: `${projectPath}/jobs`,
  query: {},
  async handle(call, backend) {
    const projectId = part(call, 'project');
    const asked = readInsert(readBody(call.request, jobMessage, 'job'), projectId);
    if (asked.projectId !== undefined && asked.projectId !== projectId) {
      const message = `Value '${asked.projectId}' in content does not agree with value '${projectId}'. This can happen when a value set through a parameter is inconsistent with a value set in the request.`;
      throw GoogleError.invalid(message, 'jobReference.projectId');
    }
    const { spec, jobId = `job_${backend.newId()}` } = asked;
    if (spec === undefined) {
      const message =
        'Job configuration must contain exactly one job-specific configuration object (e.g., query, load, extract, spark), but there were 0: ';
      throw GoogleError.invalid(message);
    }
    if (!jobIdPattern.test(jobId)) {
      const message = `Invalid job ID "${jobId}". Job IDs must be alphanumeric (plus underscores and dashes) and must be at most 1024 characters long.`;
      throw GoogleError.invalid(message, 'jobReference.job_id');
    }
    const location = locationOf(spec, backend);
    if (spec.dryRun) {
      const planned = await planJob(spec, location, backend);
      return dryRunResource(spec, planned, location, backend.clock.now(), backend.baseUrl);
    }
    const reference = { projectId, jobId, location };
    const job = await startJob(spec, reference, backend.invalidQueries, call, backend);
    return jobResource(job, backend.baseUrl);
  },
};
