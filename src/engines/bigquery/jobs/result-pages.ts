import type { Row } from '../../../sql/values/value.ts';
import type { TakeRows } from '../../engine/engine.ts';
import { AnswerError } from '../values/answer-error.ts';
import type { ResultsAnswer } from './answers.ts';

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
