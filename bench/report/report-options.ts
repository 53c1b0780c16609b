import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type PartName, partLines, partNames } from './part-name.ts';

/** How much is measured: little, the usual, or larger stores as well. */
export type Scale = 'quick' | 'usual' | 'full';

export interface ReportOptions {
  readonly scale: Scale;
  /** The parts to measure; all by default, none to write the page again. */
  readonly parts: readonly PartName[];
  /** The folder of the page. */
  readonly output: string;
  /** The folder that keeps stores and packages between runs. */
  readonly folder: string;
}

export const reportUsage = `npm run bench -- report [--quick | --full] [--only <part,...>] [--output <folder>] [--render]

Measures the parts and writes performance.md, with plots and results.json in the folder "performance" beside it. Each
part is stored when it is done; parts that are not measured keep their results. Before each part, it waits for up to two
minutes until other programs leave the processors alone; the page says of a part if they did not.

Parts, with their usual time on two cores:
${partLines}

--quick     few rows, short rounds and no wait, to try it; numbers are not to be quoted
--full      measures latency over 10 and 30 million rows as well; these take about 5 GB in BENCH_DIR
--only      measures only these parts
--output    the folder of the page; docs by default
--render    measures nothing and writes the page from results.json

Stores are kept for the next run, in BENCH_DIR or a folder for temporary files. The exit code is 1 if a part fails.`;

/**
 * Parses the arguments after `report`.
 *
 * @throws Error with what is wrong
 */
export function readReportOptions(args: readonly string[], benchDir: string | undefined): ReportOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean' },
      full: { type: 'boolean' },
      render: { type: 'boolean' },
      only: { type: 'string' },
      output: { type: 'string' },
    },
  });
  const { quick = false, full = false, render = false, only, output = 'docs' } = values;
  if (quick && full) throw new Error('--quick and --full exclude each other');
  if (render && (quick || full || only !== undefined))
    throw new Error('--render measures nothing: it goes with --output only');
  if (output === '') throw new Error('--output needs a folder');
  return {
    scale: quick ? 'quick' : full ? 'full' : 'usual',
    parts: render ? [] : only === undefined ? partNames : partsOf(only),
    output,
    folder: benchDir || join(tmpdir(), 'endpoint-gateway-bench'),
  };
}

function partsOf(only: string): PartName[] {
  const wanted = only.split(',').map((part) => part.trim());
  const unknown = wanted.find((part) => !partNames.some((name) => name === part));
  if (unknown !== undefined)
    throw new Error(`--only: "${unknown}" is no part of the report; the parts are ${partNames.join(', ')}`);
  return partNames.filter((name) => wanted.includes(name));
}
