import { readPageToken, timestampFormat } from '../jobs/page.ts';
import { GoogleError } from '../wire/google-error.ts';
import { etagOf } from '../wire/request.ts';
import { type Method, part, projectPath } from './call.ts';
import { defaultWaitMs, maxWaitMs } from './query.ts';
import { resultsAnswer } from './results-answer.ts';

const timestampOutputFormats = ['TIMESTAMP_OUTPUT_FORMAT_UNSPECIFIED', 'FLOAT64', 'INT64', 'ISO8601_STRING'];

export const getQueryResults: Method = {
  method: 'GET',
  path: `${projectPath}/queries/:job`,
  query: {
    'formatOptions.timestampOutputFormat': timestampOutputFormats,
    'formatOptions.useInt64Timestamp': 'bool',
    location: 'string',
    maxResults: 'uint32',
    pageToken: 'string',
    startIndex: 'int64',
    timeoutMs: 'uint32',
  },
  async handle(call, { jobs }) {
    const { query } = call;
    const job = jobs.find(part(call, 'project'), part(call, 'job'), query.get('location'));
    const timestamps = timestampFormat(
      query.get('formatOptions.timestampOutputFormat'),
      query.get('formatOptions.useInt64Timestamp') === 'true',
    );
    const token = query.get('pageToken');
    const startIndex = query.get('startIndex');
    if (token && startIndex !== undefined) {
      throw GoogleError.invalid('startIndex and pageToken cannot both be set', 'startIndex');
    }
    const start = token ? readPageToken(token, job.reference.jobId) : Number(startIndex ?? 0);
    const maxResults = query.get('maxResults');
    const maxRows = maxResults === undefined ? Number.POSITIVE_INFINITY : Number(maxResults);
    if (!call.fault?.incomplete) {
      await job.wait(Math.min(Number(query.get('timeoutMs') ?? defaultWaitMs), maxWaitMs));
    }
    const { json } = resultsAnswer(job, { start, maxRows, timestamps }, call);
    const answer = { kind: 'bigquery#getQueryResultsResponse', jobReference: job.reference, ...json };
    return { ...answer, etag: etagOf(answer) };
  },
};
