import { expect, test } from 'vitest';
import { effectiveSettings } from '../../../../src/engines/bigquery/jobs/settings.ts';
import { deployment, job } from '../support/job-setup.ts';

test('the endpoint’s settings take precedence over the deployment’s', () => {
  const settings = {
    ...deployment,
    location: 'EU',
    maxBytesBilled: 1,
    jobTimeoutMs: 2,
    jobCreation: 'optional',
  } as const;
  const kept = effectiveSettings(settings, job);
  expect(kept).toMatchObject({ location: 'EU', maxBytesBilled: 1, jobTimeoutMs: 2, jobCreation: 'optional' });
  const own = {
    location: 'US',
    maxBytesBilled: 10,
    jobTimeoutMs: 20,
    priority: 'batch',
    queryCache: false,
    jobCreation: 'required',
  } as const;
  expect(effectiveSettings(settings, { ...job, ...own })).toMatchObject(own);
});

test('labels: ours stay, callers’ replace the deployment’s, and the deployment’s go first beyond 64', () => {
  const many = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'x'] as const);
  const { labels } = effectiveSettings(
    { ...deployment, labels: new Map([['team', 'deployment'], ...many('d', 60)]) },
    { ...job, labels: new Map([['managed_by', 'me'], ['team', 'caller'], ...many('c', 30)]) },
  );
  expect(labels).toMatchObject({
    managed_by: 'endpoint-gateway',
    endpoint: 'usage_api-counts',
    endpoint_id: job.endpoint.id,
    team: 'caller',
    c29: 'x',
    d29: 'x',
  });
  expect(Object.keys(labels)).toHaveLength(64);
  expect(labels).not.toHaveProperty('d30');
});
