import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchStore } from '../store/bench-store.ts';
import { ownVersions, processorTicks, thisMachine } from './machine.ts';
import { measurements } from './measurements.ts';
import { paces } from './pace.ts';
import { waitForQuiet } from './quiet-machine.ts';
import { type ReportOptions, readReportOptions, reportUsage } from './report-options.ts';
import { writeReport } from './write-report.ts';

const packageDir = join(import.meta.dirname, '../..');
const print = (text: string) => void process.stdout.write(`${text}\n`);
const now = () => BigInt(Date.now()) * 1000n;

/** Runs the report with the arguments after its name. Returns the exit code. */
export async function report(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  let options: ReportOptions;
  try {
    options = readReportOptions(args, environment.BENCH_DIR);
  } catch (error) {
    print(`${error instanceof Error ? error.message : error}\n\n${reportUsage}`);
    return 2;
  }
  const { scale, parts, output, folder } = options;
  await mkdir(folder, { recursive: true });
  const store = (rows: number) => {
    const onProgress = (made: number, expected: number) =>
      print(`  store: ${made.toLocaleString('en')} of ${expected.toLocaleString('en')} rows`);
    return benchStore({ folder, rows, now: now(), onProgress });
  };
  const pace = paces[scale];
  const { quietSeconds: maxSeconds } = pace;
  const failed = await writeReport({
    ...{ output, parts, print },
    measure: measurements({ pace, folder, store, now, print, packageDir, environment }),
    commandOf: (part) => `npm run bench -- report --only ${part}${scale === 'usual' ? '' : ` --${scale}`}`,
    machine: async () => thisMachine(await waitForQuiet({ ticks: processorTicks, sleep, print, maxSeconds })),
    versions: await ownVersions(packageDir),
    clock: Date.now,
  });
  print(`\n${join(output, 'performance.md')} is written`);
  if (failed.length > 0) print(`FAILED: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}
