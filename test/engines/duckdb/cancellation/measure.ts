import { MemoryGuard } from '../../../../src/engines/duckdb/memory-guard.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { MemoryEngine } from '../support/memory-engine.ts';
import { catalogueCalls, rowsOf } from './catalogue-calls.ts';
import { hostileCalls, hostileExpressions } from './hostile-calls.ts';

const [profile = '3000,100', pattern = '.', most = '2'] = process.argv.slice(2);
const [chars = 3000, elements = 100] = profile.split(',').map(Number);
const memory = new MemoryGuard({
  mostBytes: () => 3e9,
  residentBytes: () => process.memoryUsage.rss(),
  collect: () => {},
});
const engine = await MemoryEngine.open({ memory });
const analyzer = await Analyzer.start();
const rows = rowsOf(chars, elements);
const all = await catalogueCalls(analyzer, hostileCalls);
await analyzer.close();
const nested = hostileExpressions.map((call) => ({ name: 'NESTED', calls: [call] }));
for (const { name, calls } of [...all, ...nested]) {
  if (!new RegExp(`^(?:${pattern})$`).test(name)) continue;
  let ran = 0;
  let problem = '';
  for (const call of calls) {
    if (ran >= Number(most)) break;
    const sql = `WITH r AS (${rows}) SELECT COUNTIF(x IS NULL) FROM (SELECT ${call} AS x FROM r)`;
    const controller = new AbortController();
    let request;
    try {
      request = await engine.request(sql, { signal: controller.signal });
    } catch (error) {
      problem ||= `${call}: ${(error as Error).message}`;
      continue;
    }
    let aborted = 0;
    const begun = performance.now();
    const timer = setTimeout(() => {
      aborted = begun + 300;
      controller.abort(new Error('cancelled'));
    }, 300);
    let outcome = 'done';
    try {
      await engine.engine.run(request);
    } catch (error) {
      outcome = (error as Error).message.slice(0, 90);
    }
    clearTimeout(timer);
    const now = performance.now();
    if (/not supported|Unsupported|unsupported/.test(outcome)) {
      problem ||= `${call}: ${outcome}`;
      continue;
    }
    ran++;
    const late = Math.round(aborted ? now - aborted : now - begun - 300);
    console.log(
      String(late).padStart(6),
      outcome === 'cancelled' ? 'C' : outcome === 'done' ? 'D' : 'E',
      call,
      outcome === 'cancelled' || outcome === 'done' ? '' : outcome,
    );
  }
  if (ran === 0) console.log('  NONE', name, problem);
}
await engine[Symbol.asyncDispose]();
