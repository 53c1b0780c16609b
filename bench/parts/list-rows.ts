import { countsBetween, proveEngineRuns } from '../counts.ts';
import { type Finding, formatMs } from '../finding.ts';
import { type BenchGateway, openGateway } from '../gateway.ts';
import { alternate, median, type Task } from '../measure.ts';
import { about, prove, proveIs } from '../proof.ts';
import { edgeLogs } from '../store/shipped-sources.ts';
import { storeWithLists } from '../store/store-with-lists.ts';
import type { Compared, CompareOptions } from './compare-sql.ts';
import { leafQueries } from './leaves.ts';

/** One in this many rows has two elements. */
const oneIn = 1000;
const most = 1.2;

/**
 * Compares queries over a store in which one row in a thousand has two elements with the same queries over the same
 * store without those rows.
 *
 * @throws MeasurementError
 */
export async function compareListRows(
  options: CompareOptions & { readonly rows: number },
): Promise<Finding[]> {
  const { dataDir, now, rows } = options;
  const source = await edgeLogs();
  const added = Math.max(1, Math.floor(rows / oneIn));
  const from = now - 30n * 86_400_000_000n;
  await using copy = await storeWithLists(dataDir, source, { rows: added, from, to: now });
  await using without = await openGateway(options);
  await using mixed = await openGateway({ ...options, dataDir: copy.dataDir });
  const counts = await Promise.all([without, mixed].map(({ store }) => store.rowCounts()));
  const [before = 0, after = 0] = counts.map((ofStore) => ofStore.get('edge_logs'));
  proveIs(after - before, added, 'rows with two elements');
  const findings: Finding[] = [];
  for (const one of leafQueries(source, now)) {
    findings.push(await about(one.what, () => compare(one, mixed, without, options)));
  }
  return findings;
}

async function compare(
  { what, prepare }: Compared,
  mixed: BenchGateway,
  without: BenchGateway,
  { runs }: CompareOptions,
): Promise<Finding> {
  const tasks = await Promise.all([mixed, without].map((gateway) => taskOn(gateway, prepare)));
  const [first, second] = tasks;
  if (first === undefined || second === undefined) throw new Error('no tasks');
  const [ofMixed, ofWithout] = await alternate([first.task, second.task], runs);
  const statements = [await first.prove(), await second.prove()].map((sql) =>
    sql.includes('lists."edge_logs"'),
  );
  prove(statements[0] === true, 'the rows with two elements were not read');
  prove(statements[1] === false, 'the table of rows with several elements was read where it has none');
  const [mixedMs, withoutMs] = [median(ofMixed), median(ofWithout)];
  return {
    part: 'list rows',
    what,
    detail: `with one row in ${oneIn} of two elements ${formatMs(mixedMs)}; without ${formatMs(withoutMs)}; ${ofMixed.length} runs each`,
    result: `x ${(mixedMs / withoutMs).toFixed(2)}`,
    target: `<= x ${most}`,
    isMet: mixedMs <= most * withoutMs,
  };
}

/** A call of a gateway, with the proof that it ran on the engine each time. */
async function taskOn(gateway: BenchGateway, prepare: Compared['prepare']) {
  const call = await prepare(gateway);
  const { signal } = new AbortController();
  const before = await gateway.counts();
  const statements = gateway.statements.length;
  let calls = 0;
  const execute = async () => {
    calls++;
    return (await gateway.executor.execute(call, { signal })).rows.all();
  };
  const expected = (await execute()).length;
  const task: Task<number> = {
    run: async () => (await execute()).length,
    check: (count) => proveIs(count, expected, 'rows of a later run'),
  };
  return {
    task,
    /** Returns the statement that ran. */
    prove: async () => {
      proveEngineRuns(countsBetween(before, await gateway.counts()), calls);
      const seen = gateway.statements.slice(statements);
      const [first = ''] = seen;
      proveIs(seen.filter((sql) => sql === first).length, calls, 'statements that were seen');
      return first;
    },
  };
}
