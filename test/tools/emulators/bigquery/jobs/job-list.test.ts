import { expect, test } from 'vitest';
import { Job } from '../../../../../src/tools/emulators/bigquery/jobs/job.ts';
import { JobList } from '../../../../../src/tools/emulators/bigquery/jobs/job-list.ts';
import { readInsert } from '../../../../../src/tools/emulators/bigquery/jobs/query-spec.ts';
import { ManualClock } from '../../../../calls/executor/support/manual-clock.ts';

const projectId = 'test-project';
const body = { configuration: { query: { query: 'SELECT 1', useLegacySql: false } } };

function newJob(jobId: string): Job {
  const { spec } = readInsert(body, projectId);
  if (spec === undefined) throw new Error('no query');
  return new Job({ projectId, jobId, location: 'US' }, spec, undefined, new ManualClock());
}

test('a thousand jobs are remembered, and those that still run', () => {
  const jobs = new JobList();
  const running = newJob('running');
  jobs.add(running);
  for (let i = 0; i < 1001; i++) {
    const job = newJob(`done-${i}`);
    job.cancel();
    jobs.add(job);
  }
  expect(jobs.all).toHaveLength(1000);
  expect(jobs.find(projectId, 'running', undefined)).toBe(running);
  expect(() => jobs.find(projectId, 'done-0', undefined)).toThrow('Not found: Job test-project:done-0');
  expect(jobs.find(projectId, 'done-1000', 'us').reference.jobId).toBe('done-1000');
});
