import type { Row } from '../../../sql/values/value.ts';
import type { Cost, TakeRows } from '../../engine/engine.ts';
import { isRetryableReason } from '../api/retryable.ts';
import { AnswerError } from '../values/answer-error.ts';
import type { JobReference, JobStatistics, QueryAnswer, ResultsAnswer } from './answers.ts';
import { awaitJob } from './await-job.ts';
import { JobError } from './job-error.ts';
import type { JobTools, QueryToRun } from './job-tools.ts';
import { askDirectly, insertJob } from './start-job.ts';
import { Tries } from './tries.ts';

/** Consecutive empty pages with a token for the next one that are still considered normal. */
const maxEmptyPages = 20;

/**
 * Reads the rows of a complete job, page by page. Exactly `totalRows` rows must arrive, or as many as wanted.
 *
 * @param first the page with which the job was reported as complete
 * @param next fetches the page of a token, with at most this number of rows
 * @param take gets the rows of each page
 * @returns whether there were more rows than wanted
 * @throws AnswerError when the pages don't contain all rows
 */
export async function readPages(
  first: ResultsAnswer,
  maxRows: number,
  decode: (row: unknown) => Row,
  next: (pageToken: string, maxRows: number) => Promise<ResultsAnswer>,
  take: TakeRows,
): Promise<boolean> {
  const total = first.totalRows;
  if (total === undefined) throw new AnswerError('totalRows is missing');
  const wanted = Math.min(total, maxRows);
  let count = 0;
  const seen = new Set<string>();
  let emptyPages = 0;
  for (let page = first; ; ) {
    const given = page.rows ?? [];
    if (count + given.length > total) throw new AnswerError(`there are more than totalRows = ${total} rows`);
    // Rows beyond the requested number are dropped.
    const rows = given.slice(0, wanted - count).map(decode);
    count += rows.length;
    if (rows.length > 0) await take(rows);
    if (count === wanted) return total > maxRows;

    const token = page.pageToken;
    if (!token) throw new AnswerError(`the pages end after ${count} of ${total} rows`);
    emptyPages = given.length === 0 ? emptyPages + 1 : 0;
    if (seen.has(token) || emptyPages > maxEmptyPages) throw new AnswerError('the pages have no end');
    seen.add(token);
    page = await next(token, wanted - count);
    if (!page.jobComplete) throw new AnswerError('a complete job is incomplete again');
    if (page.totalRows !== undefined && page.totalRows !== total)
      throw new AnswerError(`totalRows was ${total} and is ${page.totalRows}`);
  }
}

/** Milliseconds to wait for the cost of rows that are complete. */
const costMs = 3_000;

/** A complete query: its first page, and its job, if there is one. */
interface Complete {
  readonly page: ResultsAnswer;
  readonly job: JobReference | undefined;
  /** The cost of the query, if already known. */
  readonly cost: Cost | undefined;
}

/** Makes a decoder for the rows of a response with this schema. */
type DecoderFor = (schema: unknown) => (row: unknown) => Row;

/**
 * Runs a query on BigQuery to its last row. A job that fails for a transient reason is followed by another one, up to
 * three attempts, including calls that created no job.
 *
 * @param take gets the rows of each page
 * @throws JobError, ApiError, AnswerError, GatewayError; the signal's reason
 */
export async function runQuery(
  tools: JobTools,
  todo: QueryToRun,
  decoderFor: DecoderFor,
  take: TakeRows,
): Promise<{ readonly truncated: boolean; readonly cost: Cost | undefined }> {
  const { maxRows, limits } = todo;
  const { page, job, cost: known } = await untilComplete(tools, todo);
  const cost = known ?? (job && costLater(tools, todo, job, page));
  const next = (pageToken: string, rows: number) => {
    if (job === undefined) throw new AnswerError('there is a further page, and no job');
    return tools.jobs.results(job, { maxRows: rows, waitMs: pageWaitMs, pageToken }, limits);
  };
  const truncated = await readPages(page, maxRows, decoderFor(page.schema), next, take);
  return { truncated, cost: await cost };
}

/** Milliseconds for which BigQuery may delay a page of a complete job. */
const pageWaitMs = 1_000;

async function untilComplete(tools: JobTools, todo: QueryToRun): Promise<Complete> {
  const { jobCreation, priority } = todo.query.settings;
  // jobs.query has no priority.
  const attempt = jobCreation === 'optional' && priority === 'interactive' ? directly : byJob;
  const tries = new Tries(tools, todo.limits);
  for (;;) {
    try {
      return await attempt(tools, todo, tries);
    } catch (error) {
      const passes = error instanceof JobError && isRetryableReason(error.proto.reason);
      if (!passes || !(await tries.another(error))) throw error;
    }
  }
}

async function byJob(tools: JobTools, todo: QueryToRun, tries: Tries): Promise<Complete> {
  const { jobReference: job, status, statistics } = await insertJob(tools, todo, tries);
  if (status?.errorResult !== undefined) throw new JobError(status.errorResult);
  const page = await awaitJob(tools, todo, job);
  return { page, job, cost: status?.state === 'DONE' ? costOfJob(statistics) : undefined };
}

async function directly(tools: JobTools, todo: QueryToRun, tries: Tries): Promise<Complete> {
  const answer = await askDirectly(tools, todo, tries);
  const { jobReference: job } = answer;
  if (answer.jobComplete) {
    if (answer.schema === undefined) throw new AnswerError('a complete query has no schema');
    const cost = costOfQuery(answer) ?? (job === undefined ? costOfRows(answer) : undefined);
    return { page: answer, job, cost };
  }
  if (job === undefined) throw new AnswerError('an incomplete query has no job');
  return { page: await awaitJob(tools, todo, job), job, cost: undefined };
}

/** Fetches the job's cost. If that takes too long, uses the part that the rows' response contains. */
async function costLater(
  { jobs, clock }: JobTools,
  { limits }: QueryToRun,
  job: JobReference,
  page: ResultsAnswer,
): Promise<Cost | undefined> {
  const enough = new AbortController();
  const timer = clock.after(Math.min(costMs, (limits.deadline - clock.elapsed()) / 2), () => enough.abort());
  const signal = AbortSignal.any([limits.signal, enough.signal]);
  let statistics: JobStatistics | undefined;
  try {
    ({ statistics } = await jobs.get(job, { ...limits, signal }));
  } catch {
    // Rows are not delayed for their cost.
  } finally {
    timer.cancel();
  }
  return costOfJob(statistics) ?? costOfRows(page);
}

/** The cost of a job, if its statistics are complete. */
function costOfJob(statistics: JobStatistics | undefined): Cost | undefined {
  const query = statistics?.query;
  if (query === undefined) return undefined;
  return wholeCost({
    totalBytesProcessed: query.totalBytesProcessed ?? statistics?.totalBytesProcessed,
    totalBytesBilled: query.totalBytesBilled,
    totalSlotMs: query.totalSlotMs ?? statistics?.totalSlotMs,
    cacheHit: query.cacheHit,
  });
}

/** The cost of a query without a job, if the response is complete. */
function costOfQuery(answer: QueryAnswer): Cost | undefined {
  return wholeCost(answer);
}

/**
 * The cost as far as the rows' response reports it. It lacks the billed bytes, unless the rows came from BigQuery's
 * cache.
 */
function costOfRows({ totalBytesProcessed, cacheHit = false }: ResultsAnswer): Cost | undefined {
  if (totalBytesProcessed === undefined) return undefined;
  return {
    bytesProcessed: totalBytesProcessed,
    ...(cacheHit && { bytesBilled: 0, slotMs: 0 }),
    engineCacheHit: cacheHit,
  };
}

function wholeCost({
  totalBytesProcessed: bytesProcessed,
  totalBytesBilled: bytesBilled,
  // Absent from the response if zero, as for rows from BigQuery's cache.
  totalSlotMs: slotMs = 0,
  cacheHit: engineCacheHit = false,
}: Pick<QueryAnswer, 'totalBytesProcessed' | 'totalBytesBilled' | 'totalSlotMs' | 'cacheHit'>):
  | Cost
  | undefined {
  if (bytesProcessed === undefined || bytesBilled === undefined) return undefined;
  return { bytesProcessed, bytesBilled, slotMs, engineCacheHit };
}
