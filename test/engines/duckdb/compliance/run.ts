import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { comparable, Differential } from '../differential/differential.ts';
import { readSections } from './test-file.ts';

/**
 * Runs the queries of Google's compliance tests on DuckDB and on the packaged reference evaluator, and counts where they
 * agree: `node test/engines/duckdb/compliance/run.ts <git directory of ZetaSQL> <report> [part of file names]`.
 * The report has a line for each query that isn't equal.
 */
const [repository = '', report = '', only = ''] = process.argv.slice(2);
const folder = 'zetasql/compliance/testdata';
const git = (...args: string[]) =>
  execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1e9 });

const outside =
  /dml|graph|anonymization|differential_privacy|proto|gql|uuid|map_|measure|match_recognize|geography/;
const files = git('ls-tree', '--name-only', 'HEAD', `${folder}/`)
  .split('\n')
  .filter((file) => file.endsWith('.test') && !outside.test(file) && file.includes(only));

type Outcome = 'equal' | 'both fail' | 'refused' | 'fails' | 'wrong' | 'only here' | 'not analyzed';
const counts = new Map<Outcome, number>();
writeFileSync(report, '');

const message = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n').join(' ');
const settled = <T>(work: Promise<T>) =>
  work.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error: message(error) }),
  );
const within = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<T>((_, reject) => setTimeout(() => reject(new Error('took more than 20 s')), 20_000).unref()),
  ]);

let differential = await Differential.start();
for (const file of files) {
  const text = git('show', `HEAD:${file}`);
  for (const { name, sql } of readSections(file.slice(folder.length + 1, -5), text)) {
    const ordered = /order by[^()]*$/i.test(sql);
    const expected = await settled(within(differential.expected(sql)));
    const actual = await settled(within(differential.folded(sql)));
    const [outcome, why] = judge(expected, actual, ordered, sql);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome !== 'equal' && outcome !== 'both fail') {
      appendFileSync(report, `${outcome}\t${name}\t${why}\t${sql.replace(/\s+/g, ' ')}\n`);
    }
    if (/took more|UNAVAILABLE|CANCELLED|connection/i.test(`${expected.error}${actual.error}`)) {
      void settled(differential[Symbol.asyncDispose]());
      differential = await Differential.start();
    }
  }
}
await differential[Symbol.asyncDispose]();
for (const [outcome, count] of counts) process.stdout.write(`${count}\t${outcome}\n`);
process.exit(0);

type Settled = {
  readonly value: Awaited<ReturnType<Differential['folded']>> | undefined;
  readonly error: string | undefined;
};

function judge(expected: Settled, actual: Settled, ordered: boolean, sql: string): [Outcome, string] {
  if (expected.value === undefined && actual.value === undefined) {
    const isAnalysis = expected.error === actual.error;
    return isAnalysis ? ['not analyzed', `${expected.error}`] : ['both fail', ''];
  }
  if (expected.value === undefined) return ['only here', `${expected.error}`];
  if (actual.value === undefined) {
    const isRefused = /not supported|isn't supported|unsupported/i.test(actual.error ?? '');
    return [isRefused ? 'refused' : 'fails', `${actual.error}`];
  }
  const [a, b] = [comparable(actual.value, ordered), comparable(expected.value, ordered)];
  if (JSON.stringify(a) === JSON.stringify(b)) return ['equal', ''];
  // ARRAY_AGG and its kin have no order of their own.
  const isUnordered = /array_agg|array_concat_agg|array\s*\(/i.test(sql);
  if (isUnordered && letters(a) === letters(b)) return ['equal', ''];
  return ['wrong', `here ${JSON.stringify(a).slice(0, 300)} evaluator ${JSON.stringify(b).slice(0, 300)}`];
}

/** What rows hold, whatever the order of its parts. */
function letters(rows: readonly string[]): string {
  return rows
    .flatMap((row) => row.split(/[,[\]]+/))
    .sort()
    .join();
}
