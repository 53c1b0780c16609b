import { describe, expect, test } from 'vitest';
import type { ResultsAnswer } from '../../../../src/engines/bigquery/jobs/answers.ts';
import { readPages } from '../../../../src/engines/bigquery/jobs/run-query.ts';
import type { Row } from '../../../../src/sql/values/value.ts';

const aPage = (rows: readonly string[], totalRows?: number, pageToken?: string): ResultsAnswer => ({
  jobComplete: true,
  rows: [...rows],
  ...(totalRows !== undefined && { totalRows }),
  ...(pageToken !== undefined && { pageToken }),
});

/** Reads the pages; gives the rows, and what was asked for. */
async function read(pages: readonly ResultsAnswer[], maxRows = 10) {
  const [first = aPage([]), ...further] = pages;
  const asked: [token: string, rows: number][] = [];
  const read: Row[] = [];
  const truncated = await readPages(
    first,
    maxRows,
    (row) => [row as string],
    async (token, rows) => {
      asked.push([token, rows]);
      return further[Math.min(asked.length, further.length) - 1] ?? aPage([]);
    },
    (rows) => void read.push(...rows),
  );
  return { rows: read.flat(), truncated, asked };
}

describe('the pages of a result', () => {
  test('are followed until all rows are there', async () => {
    const pages = [
      aPage(['a', 'b'], 5, 't1'),
      aPage([], 5, 't2'),
      aPage(['c'], undefined, 't3'),
      aPage(['d', 'e'], 5),
    ];
    expect(await read(pages)).toEqual({
      rows: ['a', 'b', 'c', 'd', 'e'],
      truncated: false,
      asked: [
        ['t1', 3],
        ['t2', 3],
        ['t3', 2],
      ],
    });
  });

  test('are asked for no more rows than are wanted, and not further than that', async () => {
    expect(await read([aPage(['a'], 3, 't1'), aPage(['b'], 3, 't2')], 2)).toEqual({
      rows: ['a', 'b'],
      truncated: true,
      asked: [['t1', 1]],
    });
    expect(await read([aPage(['a', 'b'], 2, 'a token all the same')], 2)).toMatchObject({
      truncated: false,
      asked: [],
    });
  });

  test('that hold more than was asked for are cut', async () => {
    expect(await read([aPage(['a', 'b', 'c'], 3)], 2)).toEqual({
      rows: ['a', 'b'],
      truncated: true,
      asked: [],
    });
  });

  test('of no rows at all', async () => {
    expect(await read([{ jobComplete: true, totalRows: 0 }])).toEqual({
      rows: [],
      truncated: false,
      asked: [],
    });
  });

  test.each<[name: string, pages: ResultsAnswer[], sentence: string]>([
    ['don’t say how many rows there are', [aPage(['a'])], 'totalRows is missing'],
    ['end too early', [aPage(['a'], 2)], 'end after 1 of 2 rows'],
    ['end too early with an empty token', [aPage(['a'], 2, '')], 'end after 1 of 2 rows'],
    ['end too early on the way', [aPage(['a'], 3, 't'), aPage(['b'], 3)], 'end after 2 of 3 rows'],
    ['repeat a token', [aPage(['a'], 9, 't'), aPage(['b'], 9, 't')], 'have no end'],
    ['hold more rows than there are', [aPage(['a', 'b'], 1)], 'more than totalRows = 1'],
    ['change their mind about the number of rows', [aPage(['a'], 2, 't'), aPage(['b'], 3)], 'was 2 and is 3'],
    ['become incomplete', [aPage(['a'], 2, 't'), { jobComplete: false }], 'incomplete again'],
  ])('are no result when they %s', async (_, pages, sentence) => {
    await expect(read(pages)).rejects.toThrow(sentence);
  });

  test('fail if they stay empty, each with a new token', async () => {
    const empty = Array.from({ length: 30 }, (_, index) => aPage([], 1, `t${index}`));
    await expect(read(empty)).rejects.toThrow('have no end');
  });
});
