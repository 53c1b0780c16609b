import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../run-parts.ts';
import type { Measurement } from './measurement.ts';
import { performancePage } from './page/performance-page.ts';
import { type PartName, partNames } from './part-name.ts';
import { type Machine, type PartOutcome, type Results, readResults, writeResults } from './results.ts';

export interface ReportRun {
  /** The folder of the page. */
  readonly output: string;
  readonly parts: readonly PartName[];
  readonly measure: Readonly<Record<PartName, () => Promise<Measurement>>>;
  /** The command that measures a part again. */
  readonly commandOf: (part: PartName) => string;
  /** The machine before a part, when it is quiet or stays busy. */
  readonly machine: () => Promise<Machine>;
  readonly versions: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly print: (text: string) => void;
}

/**
 * Measures parts, one after the other, and writes the page. A part begins when the machine is known. Each part is stored when it is done, so that an interrupted
 * run can be continued with the others; it replaces its former results, even if it has failed.
 *
 * @returns the parts of this run that failed
 */
export async function writeReport(run: ReportRun): Promise<PartName[]> {
  const folder = join(run.output, 'performance');
  const file = join(folder, 'results.json');
  await mkdir(folder, { recursive: true });
  let results = await readResults(file);
  const failed: PartName[] = [];
  for (const part of run.parts) {
    run.print(`${part} ...`);
    const machine = await run.machine();
    const began = run.clock();
    const { outcome, versions } = await outcomeOf(run.measure[part], run.print);
    if (outcome.kind === 'failed') {
      failed.push(part);
      run.print(`FAILED ${part}`);
    }
    const seconds = Math.round((run.clock() - began) / 1000);
    const stored = {
      ...{ command: run.commandOf(part), began: new Date(began).toISOString(), seconds, machine },
      ...{ versions: { ...run.versions, ...versions }, outcome },
    };
    results = { parts: { ...results.parts, [part]: stored } };
    await writeResults(file, results);
    await writePage(run.output, results);
  }
  if (run.parts.length === 0) await writePage(run.output, results);
  return failed;
}

async function outcomeOf(
  measure: () => Promise<Measurement>,
  print: ReportRun['print'],
): Promise<{ readonly outcome: PartOutcome; readonly versions: Readonly<Record<string, string>> }> {
  try {
    const { data, versions } = await measure();
    return { outcome: { kind: 'measured', data }, versions };
  } catch (error) {
    // Stacks tell where the repository is: they are printed, but no part of the page.
    print(reasonOf(error));
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: { kind: 'failed', reason }, versions: {} };
  }
}

async function writePage(output: string, results: Results): Promise<void> {
  const { markdown, plots } = performancePage(results);
  for (const part of partNames) {
    const file = join(output, 'performance', `${part}.svg`);
    const svg = plots.get(part);
    if (svg === undefined) await rm(file, { force: true });
    else await writeFile(file, svg);
  }
  await writeFile(join(output, 'performance.md'), markdown);
}
