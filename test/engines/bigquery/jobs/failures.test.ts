import { describe, expect, test } from 'vitest';
import { ApiError, NoAnswer, NoCredentials } from '../../../../src/engines/bigquery/api/api-error.ts';
import { type FailedQuery, failureOf } from '../../../../src/engines/bigquery/jobs/failures.ts';
import { JobError } from '../../../../src/engines/bigquery/jobs/job-error.ts';
import { AnswerError } from '../../../../src/engines/bigquery/values/answer-error.ts';

/** A text that begins two lines further up than what was sent, over one table. */
const query: FailedQuery = {
  text: {
    place: ({ line, column }) => (line > 2 ? { line: line - 2, column } : undefined),
    withSources: (sentence) => sentence.replaceAll('p.d.edge', 'logs.edge_logs'),
  },
  maxBytesBilled: undefined,
};

const callerErrorFor = (error: unknown, of: FailedQuery = query) => {
  const failure = failureOf(error, of);
  return failure && { code: failure.code, message: failure.message, ...failure.details, cause: undefined };
};
const job = (reason: string, message = '') => new JobError({ reason, message });

describe('an error of BigQuery about a query', () => {
  test('is reported with its position in the text that the author wrote', () => {
    expect(callerErrorFor(job('invalidQuery', 'Unrecognized name: a at [5:3]'))).toMatchObject({
      code: 'QUERY_FAILED',
      message: 'Unrecognized name: a [at 3:3]',
    });
    expect(callerErrorFor(job('invalidQuery', 'Division by zero at [1:1]'))?.message).toBe(
      'Division by zero',
    );
    expect(callerErrorFor(job('invalidQuery', 'Unrecognized name: a at [5:3-5:8]'))?.message).toBe(
      'Unrecognized name: a [at 3:3]',
    );
    expect(callerErrorFor(job('invalidQuery', 'No matching signature at [1:1-2:12]; see x'))?.message).toBe(
      'No matching signature; see x',
    );
    expect(callerErrorFor(job('invalidQuery'))?.message).toBe('BigQuery could not answer the query.');
  });

  test('names sources, and no table, project or job', () => {
    const sentence =
      'Cannot read p.d.edge, view other-project:logs.v or Job p:EU.endpoint-gateway-1 of logs.x at 10:30:00.5';
    expect(callerErrorFor(job('invalidQuery', sentence))?.message).toBe(
      'Cannot read logs.edge_logs, view a table or Job a table of logs.x at 10:30:00.5',
    );
  });

  test.each([
    ['Bad int64 value: secret', 'The query failed on its data: Bad int64 value.'],
    ['bad INT64 value: secret', 'The query failed on its data: Bad int64 value.'],
    ['division by zero: 17 / 0', 'The query failed on its data: Division by zero.'],
    ["Invalid timestamp: 'secret'", 'The query failed on its data: Invalid timestamp.'],
    ['secret', 'The query failed on its data.'],
    ['', 'The query failed on its data.'],
  ])('is reported without quoted values to callers who may not see every row: %j', (message, expected) => {
    expect(callerErrorFor(job('invalidQuery', message))).toMatchObject({ withoutValues: expected });
    expect(callerErrorFor(job('resourcesExceeded', message))?.withoutValues).not.toContain('secret');
  });

  test('is cut where it is long', () => {
    expect(callerErrorFor(job('invalidQuery', 'x'.repeat(5_000)))?.message).toHaveLength(503);
    for (const address of ['192.168.100.100', '2001:db8:85a3::8a2e:370:7334']) {
      const cut = callerErrorFor(job('invalidQuery', `${'x '.repeat(245)}${address}, and so on`))?.message;
      expect(cut).toBe(`${'x '.repeat(245)}...`);
    }
  });

  test('may be what it would cost, with both figures', () => {
    const message = 'Query exceeded limit for bytes billed: 85716253. 171966464 or higher required.';
    expect(callerErrorFor(new ApiError(500, { reason: 'bytesBilledLimitExceeded', message }))).toMatchObject({
      code: 'COST_LIMIT_EXCEEDED',
      message:
        'The query would be billed 171,966,464 bytes, which is more than the 85,716,253 bytes that it may be.',
    });
    expect(
      callerErrorFor(job('billingTierLimitExceeded', 'no'), { ...query, maxBytesBilled: 5_000 })?.message,
    ).toBe('The query would be billed more bytes than the 5,000 bytes that it may be.');
    expect(callerErrorFor(job('bytesBilledLimitExceeded', 'no'))?.message).toBe(
      'The query would be billed more bytes than it may be.',
    );
  });
});

test.each([
  ['stopped', 'Job execution was cancelled: Job timed out after 2 sec', 'QUERY_TIMEOUT'],
  ['stopped', 'Job execution was cancelled: User requested cancellation', 'QUERY_FAILED'],
  ['timeout', 'Operation timed out after 6.0 hours.', 'QUERY_TIMEOUT'],
  ['resourcesExceeded', 'Resources exceeded during query execution', 'QUERY_FAILED'],
  ['responseTooLarge', 'Response too large to return', 'QUERY_FAILED'],
  ['invalid', 'Invalid value for p.d.t', 'QUERY_FAILED'],
  ['accessDenied', 'Access Denied: Table p:d.t', 'BACKEND_UNAVAILABLE'],
  ['notFound', 'Not found: Table p:d.t', 'BACKEND_UNAVAILABLE'],
  ['blocked', 'p is blocked', 'BACKEND_UNAVAILABLE'],
  ['billingNotEnabled', 'p has no billing', 'BACKEND_UNAVAILABLE'],
  ['backendError', 'p.d.t', 'BACKEND_UNAVAILABLE'],
  ['internalError', 'p.d.t', 'BACKEND_UNAVAILABLE'],
  ['jobBackendError', 'p.d.t', 'BACKEND_UNAVAILABLE'],
  ['jobInternalError', 'p.d.t', 'BACKEND_UNAVAILABLE'],
  ['somethingNew', 'p.d.t', 'BACKEND_UNAVAILABLE'],
  ['quotaExceeded', 'p', 'OVERLOADED'],
  ['rateLimitExceeded', 'p', 'OVERLOADED'],
  ['jobRateLimitExceeded', 'p', 'OVERLOADED'],
])('%s (%s) is %s', (reason, message, code) => {
  const failure = callerErrorFor(job(reason, message));
  expect(failure?.code).toBe(code);
  expect(failure?.message).not.toMatch(/p[.:]d|^p /);
  if (code === 'OVERLOADED') expect(failure?.retryAfterSeconds).toBeGreaterThan(0);
});

test('responses without a reason are reported by their status, or as missing', () => {
  const ofStatus = (status: number) =>
    callerErrorFor(new ApiError(status, { reason: '', message: 'x' }))?.code;
  expect([400, 401, 403, 404, 413, 429, 500, 503].map(ofStatus)).toEqual([
    'QUERY_FAILED',
    'BACKEND_UNAVAILABLE',
    'BACKEND_UNAVAILABLE',
    'BACKEND_UNAVAILABLE',
    'QUERY_FAILED',
    'OVERLOADED',
    'BACKEND_UNAVAILABLE',
    'BACKEND_UNAVAILABLE',
  ]);
  expect(callerErrorFor(new NoCredentials('no file'))?.message).toMatch('credentials');
  expect(
    callerErrorFor(new ApiError(404, { reason: 'notFound', message: 'Not found: Job p:EU.j' }))?.message,
  ).toMatch('moment');
  expect(callerErrorFor(new NoAnswer('reset'))?.code).toBe('BACKEND_UNAVAILABLE');
  expect(callerErrorFor(new AnswerError('the column "x" is a STRING'))?.code).toBe('BACKEND_UNAVAILABLE');
});

test.each([400, 403, 404])(
  'a failure of BigQuery is reported as such, although the status is %i',
  (status) => {
    for (const reason of ['backendError', 'internalError'])
      expect(callerErrorFor(new ApiError(status, { reason, message: 'x' }))).toMatchObject({
        code: 'BACKEND_UNAVAILABLE',
        message: 'BigQuery could not run the query at the moment.',
        retryAfterSeconds: 1,
      });
  },
);

test('BigQuery’s own Retry-After counts', () => {
  expect(
    callerErrorFor(new ApiError(429, { reason: 'rateLimitExceeded', message: '' }, 17))?.retryAfterSeconds,
  ).toBe(17);
});

test('an error that isn’t BigQuery’s is none of this', () => {
  expect(callerErrorFor(new TypeError('a defect'))).toBeUndefined();
});
