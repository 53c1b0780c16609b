import { jobResource, statusOf } from '../jobs/job-resource.ts';
import { etagOf } from '../wire/request.ts';
import { type Method, part, projectPath } from './call.ts';

export const getJob: Method = {
  method: 'GET',
  path: `${projectPath}/jobs/:job`,
  query: { location: 'string' },
  async handle(call, { jobs, baseUrl }) {
    const job = jobs.find(part(call, 'project'), part(call, 'job'), call.query.get('location'));
    return jobResource(job, baseUrl);
  },
};

export const cancelJob: Method = {
  method: 'POST',
  path: `${projectPath}/jobs/:job/cancel`,
  query: { location: 'string' },
  async handle(call, { jobs, baseUrl }) {
    const job = jobs.find(part(call, 'project'), part(call, 'job'), call.query.get('location'));
    job.cancel();
    return { kind: 'bigquery#jobCancelResponse', job: jobResource(job, baseUrl) };
  },
};

export const listJobs: Method = {
  method: 'GET',
  path: `${projectPath}/jobs`,
  query: {
    allUsers: 'bool',
    maxCreationTime: 'int64',
    maxResults: 'uint32',
    minCreationTime: 'int64',
    pageToken: 'string',
    parentJobId: 'string',
    projection: ['full', 'minimal'],
    stateFilter: ['done', 'pending', 'running'],
  },
  async handle(call, { jobs, baseUrl }) {
    const { query } = call;
    const projectId = part(call, 'project');
    const wanted = query.get('stateFilter');
    const found = jobs.visible.filter(
      (job) =>
        job.reference.projectId === projectId &&
        (wanted === undefined || wanted === (job.isDone ? 'done' : 'running')) &&
        job.creationTime >= Number(query.get('minCreationTime') ?? 0) &&
        job.creationTime <= Number(query.get('maxCreationTime') ?? Number.POSITIVE_INFINITY),
    );
    const start = Number(query.get('pageToken') ?? 0);
    const end = start + Number(query.get('maxResults') ?? 50);
    const list = {
      kind: 'bigquery#jobList',
      ...(end < found.length && { nextPageToken: String(end) }),
      jobs: found.slice(start, end).map((job) => {
        const { etag: _, selfLink: __, ...resource } = jobResource(job, baseUrl);
        const { state, errorResult } = statusOf(job);
        return { ...resource, state, ...(errorResult !== undefined && { errorResult }) };
      }),
    };
    return { ...list, etag: etagOf(list) };
  },
};
