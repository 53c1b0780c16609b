import { rewriteText } from '../../../src/sql/rewrite/rewrite-text.ts';
import { testGrowth } from '../../support/growth.ts';

const list = (size: number, item: (i: number) => string, between = ', ') =>
  Array.from({ length: size }, (_, i) => item(i)).join(between);
const columns = (size: number) => `SELECT ${list(size, (i) => `1 AS c${i}`)}`;

/** Texts of a size, by what there is much of. Many are invalid, which the analyzer would find out after they are rewritten. */
const texts: Readonly<Record<string, (size: number) => string>> = {
  'items of a SELECT list': (size) => `SELECT ${list(size, (i) => `c${i}`)} FROM t GROUP BY ALL`,
  'names of types': (size) => `SELECT f(${'DATE '.repeat(size)}) FROM t GROUP BY ALL`,
  'GROUP BY ALL': (size) => `SELECT a FROM t ${'GROUP BY ALL '.repeat(size)}`,
  'GROUP BY ALL in unions': (size) => list(size, () => 'SELECT a FROM t GROUP BY ALL', ' UNION ALL '),
  'WITH entries of values': (size) => `WITH ${list(size, (i) => `t${i} AS (FROM UNNEST([1]))`)} FROM t0`,
  'columns matched by name': (size) => `${columns(size)} UNION ALL STRICT CORRESPONDING ${columns(size)}`,
  'columns listed by name': (size) =>
    `${columns(size)} UNION ALL BY NAME ON (${list(size, (i) => `c${i}`)}) ${columns(size)}`,
  'tables of UNION ALL BY NAME': (size) => list(size, () => '(FROM t)', ' UNION ALL BY NAME '),
  'words of a join': (size) => `FROM t JOIN u ON a ${'FULL '.repeat(size)}`,
  'items of pipe SET': (size) => `FROM t |> SET ${list(size, (i) => `c${i} = 1`)}`,
  'keys and columns': (size) =>
    `FROM t |> ORDER BY ${list(size, (i) => `c${i}`)} |> LIMIT 1 |> SELECT ${list(size, () => '*')}`,
  'items of AGGREGATE': (size) =>
    `FROM t |> AGGREGATE ${list(size, () => 'SUM(a)')} GROUP BY ROLLUP(${list(size, (i) => `d${i}`)})`,
  'chained calls': (size) => `FROM t |> SELECT ${list(size, () => '(é).f(é)')}`,
  'GROUP BY within aggregates': (size) => `SELECT ${list(size, () => 'SUM(MAX(v) GROUP BY k)')} FROM t`,
  'GROUP BY within each other': (size) =>
    `SELECT ${'SUM('.repeat(size)}v${' GROUP BY k)'.repeat(size)} FROM t`,
  'aggregates within one': (size) =>
    `SELECT SUM(${list(size, (i) => `MAX(v + ${i}) + k`, ' + ')} GROUP BY j, k) FROM t`,
  'keys within an aggregate': (size) => `SELECT SUM(MAX(v) GROUP BY ${list(size, (i) => `k${i}`)}) FROM t`,
  underscores: (size) => `FROM t |> SELECT _pipe_${'_'.repeat(size)}`,
  'pipe operators after many columns': (size) =>
    `FROM t |> EXTEND ${list(size, () => '(1)')} ${list(size, () => '|> UNION ALL (FROM t)', ' ')}`,
  quotes: (size) => `FROM t |> SELECT ${`'''' `.repeat(size)}`,
  'unclosed brackets': (size) => `FROM t |> SELECT ${'([ '.repeat(size)}`,
};

const facts = { isTable: () => false, columnsOf: () => Promise.resolve(['a']) };

testGrowth('Rewriting a text', texts, (sql) => rewriteText(sql, facts), { size: 500, maxSize: 64_000 });
