/** Source: https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#reserved_keywords */
const reserved =
  `ALL AND ANY ARRAY AS ASC ASSERT_ROWS_MODIFIED AT BETWEEN BY CASE CAST COLLATE CONTAINS CREATE CROSS CUBE
CURRENT DEFAULT DEFINE DESC DISTINCT ELSE END ENUM ESCAPE EXCEPT EXCLUDE EXISTS EXTRACT FALSE FETCH FOLLOWING FOR FROM
FULL GROUP GROUPING GROUPS HASH HAVING IF IGNORE IN INNER INTERSECT INTERVAL INTO IS JOIN LATERAL LEFT LIKE LIMIT LOOKUP
MERGE NATURAL NEW NO NOT NULL NULLS OF ON OR ORDER OUTER OVER PARTITION PRECEDING PROTO QUALIFY RANGE RECURSIVE RESPECT
RIGHT ROLLUP ROWS SELECT SET SOME STRUCT TABLESAMPLE THEN TO TREAT TRUE UNBOUNDED UNION UNNEST USING WHEN WHERE WINDOW
WITH WITHIN`.split(/\s+/);

/** Keywords that a stored query can't use, or that nobody needs help with. */
const notOffered =
  'ASSERT_ROWS_MODIFIED AT CONTAINS CREATE DEFINE ENUM FETCH HASH INTO LOOKUP MERGE NATURAL NEW NO PROTO TO TREAT WITHIN';

/** Words that queries use, reserved or not. */
export const offeredKeywords: readonly string[] = [
  ...reserved.filter((word) => !notOffered.split(' ').includes(word)),
  'OFFSET',
];

const names = new Set(reserved);

/** Whether a word, given in upper case, can't be a name without quotes. */
export function isReserved(word: string): boolean {
  return names.has(word);
}
