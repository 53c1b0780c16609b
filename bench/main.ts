import { mkdir } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { type Finding, formatFindings } from './finding.ts';
import { type BenchOptions, type PartName, readOptions, usage } from './options.ts';
import { measureBodies } from './parts/bodies.ts';
import { measureCache } from './parts/cache.ts';
import { measureConsole } from './parts/console.ts';
import { compareDashboards } from './parts/dashboards.ts';
import { measureExport } from './parts/export.ts';
import { measureFloods } from './parts/floods.ts';
import { compareFunctions } from './parts/functions.ts';
import { measureOverhead } from './parts/gateway-overhead.ts';
import { measureGraphql } from './parts/graphql.ts';
import { measureImport } from './parts/import-rows.ts';
import { measureIngest } from './parts/ingest.ts';
import { compareLeaves } from './parts/leaves.ts';
import { compareListRows } from './parts/list-rows.ts';
import { measureLive } from './parts/live.ts';
import { measureMcp } from './parts/mcp.ts';
import { measureOverload } from './parts/overload.ts';
import { measurePlanning } from './parts/planning.ts';
import { findRefreshes } from './parts/refreshes.ts';
import { measureStartUp } from './parts/start-up.ts';
import { compareStoredQueries } from './parts/stored-queries.ts';
import { measureStorm } from './parts/storm.ts';
import { runParts } from './run-parts.ts';
import { benchStore } from './store/bench-store.ts';

const packageDir = join(import.meta.dirname, '..');
const environment = process.env;
const print = (text: string) => void process.stdout.write(`${text}\n`);
const now = () => BigInt(Date.now()) * 1000n;

const [command, ...rest] = process.argv.slice(2);
if (command === 'report') {
  const { report } = await import('./report/main.ts');
  process.exit(await report(rest, environment));
}

let options: BenchOptions;
try {
  options = readOptions(process.argv.slice(2), environment.BENCH_DIR);
} catch (error) {
  print(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  process.exit(2);
}

const { rows, importRows, minutes, folder, verbose } = options;
print(
  `The load of this machine is ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores; idle is best.`,
);
await mkdir(folder, { recursive: true });

/** Created or brought up to date for each part that needs it: some queries read the last minutes. */
function store(ofRows = rows): Promise<string> {
  const onProgress = (made: number, expected: number) =>
    print(`store: ${made.toLocaleString('en')} of ${expected.toLocaleString('en')} rows`);
  return benchStore({ folder, rows: ofRows, now: now(), onProgress });
}

const parts: Readonly<Record<PartName, () => Promise<Finding[]>>> = {
  sql: async () => compareStoredQueries({ dataDir: await store(), now: now(), verbose, print }),
  dashboards: async () => compareDashboards({ dataDir: await store(), now: now(), verbose, print }),
  leaves: async () => {
    const options = { dataDir: await store(), now: now(), verbose, print };
    return [...(await compareLeaves(options)), ...(await compareListRows({ ...options, rows }))];
  },
  functions: async () => compareFunctions({ dataDir: await store(2_000_000), now: now(), verbose, print }),
  planning: async () => measurePlanning({ dataDir: await store(), now: now() }),
  slices: async () => findRefreshes({ dataDir: await store() }, rows),
  overhead: async () => measureOverhead({ dataDir: await store(), now: now() }),
  graphql: () => measureGraphql(),
  cache: () => measureCache(),
  overload: async () => measureOverload({ dataDir: await store(), packageDir, environment, print }),
  floods: async () => measureFloods({ dataDir: await store(), packageDir, environment, print }),
  bodies: async () => measureBodies({ dataDir: await store(50_000), packageDir, environment, print }),
  storm: async () => measureStorm({ dataDir: await store(), packageDir, environment, print }),
  start: async () => measureStartUp({ dataDir: await store(), packageDir, environment }),
  mcp: async () => measureMcp({ dataDir: await store(50_000), packageDir, environment }),
  export: async () => measureExport({ dataDir: await store(2_000_000), packageDir, environment }),
  import: () => measureImport({ rows: importRows, now: now(), folder, packageDir, environment }),
  live: async () => measureLive({ dataDir: await store(), packageDir, environment }),
  console: async () => measureConsole({ dataDir: await store(50_000), packageDir, environment }),
  ingest: async () => {
    const settings = { packageDir, environment, print, rows: importRows, minutes };
    return measureIngest({ ...settings, dataDir: await store() });
  },
};

const { findings, failures } = await runParts(options.parts, (name) => parts[name](), print);
print(`\n${rows.toLocaleString('en')} rows in the store\n\n${formatFindings(findings)}`);
if (failures.length > 0) {
  print(`\n${failures.join('\n')}`);
  process.exitCode = 1;
}
