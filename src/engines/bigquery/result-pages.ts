import type { Row } from '../../sql/value.ts';
import type { ResultsAnswer } from './answers.ts';
import { AnswerError } from './values/answer-error.ts';

export interface Result {
  readonly rows: readonly Row[];
  /** Whether there were more rows than were wanted. */
  readonly truncated: boolean;
}

/** Empty pages one after the other, each with a token for the next, that are still no sign of a server gone wrong. */
const maxEmptyPages = 20;

/**
 * Reads the rows of a complete job, page by page: `totalRows` says how many there are, and exactly so many have to
 * come, or as many as are wanted.
 *
 * @param first the page that said that the job is complete
 * @param next asks for the page of a token, of at most so many rows
 * @throws AnswerError when the pages don't come to the rows that there are
 */
export async function readPages(
  first: ResultsAnswer,
  maxRows: number,
  decode: (row: unknown) => Row,
  next: (pageToken: string, maxRows: number) => Promise<ResultsAnswer>,
): Promise<Result> {
  const total = first.totalRows;
  if (total === undefined) throw new AnswerError('totalRows is missing');
  const wanted = Math.min(total, maxRows);
  const rows: Row[] = [];
  const seen = new Set<string>();
  let emptyPages = 0;
  for (let page = first; ; ) {
    const given = page.rows ?? [];
    if (rows.length + given.length > total)
      throw new AnswerError(`there are more than totalRows = ${total} rows`);
    // A server that sends more than was asked for is no reason to keep it.
    for (const row of given.slice(0, wanted - rows.length)) rows.push(decode(row));
    if (rows.length === wanted) return { rows, truncated: total > maxRows };

    const token = page.pageToken;
    if (!token) throw new AnswerError(`the pages end after ${rows.length} of ${total} rows`);
    emptyPages = given.length === 0 ? emptyPages + 1 : 0;
    if (seen.has(token) || emptyPages > maxEmptyPages) throw new AnswerError('the pages have no end');
    seen.add(token);
    page = await next(token, wanted - rows.length);
    if (!page.jobComplete) throw new AnswerError('a complete job is incomplete again');
    if (page.totalRows !== undefined && page.totalRows !== total)
      throw new AnswerError(`totalRows was ${total} and is ${page.totalRows}`);
  }
}
