import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MeasurementError } from '../../../bench/proof.ts';
import type { Measurement } from '../../../bench/report/measurement.ts';
import { type PartName, partNames } from '../../../bench/report/part-name.ts';
import { parseResults } from '../../../bench/report/results.ts';
import { writeReport } from '../../../bench/report/write-report.ts';

const spread = { least: 1, quarter: 1, median: 1, threeQuarters: 1, most: 1 };
const point = (tables: number) => ({ tables, fresh: spread, repeated: spread });
const planning = { texts: 1, kinds: [{ kind: 'JOIN', points: [point(1), point(2)] }] };

describe('writing the report', () => {
  let output: string;
  let seconds = 0;
  beforeEach(async () => {
    output = await mkdtemp(join(tmpdir(), 'report-'));
  });
  afterEach(() => rm(output, { recursive: true }));

  const clock = () => seconds * 1000;
  const machine = async () => ({
    processor: 'x',
    cores: 1,
    memoryBytes: 1,
    system: 'x',
    load: 0,
    usedByOthers: 0.6,
  });
  const run = (parts: readonly PartName[], measure: () => Promise<Measurement>, before = machine) =>
    writeReport({
      ...{ output, parts, versions: { Node: '1' }, clock, print: () => undefined },
      measure: Object.fromEntries(partNames.map((name) => [name, measure])) as Record<
        PartName,
        typeof measure
      >,
      commandOf: (part) => `measure ${part}`,
      machine: before,
    });
  const read = (name: string) => readFile(join(output, name), 'utf8');

  it('stores a part, and keeps it when another one is measured', async () => {
    expect(await run(['planning'], async () => ({ data: planning, versions: { Redis: '2' } }))).toEqual([]);
    const failed = await run(['hits'], () => Promise.reject(new MeasurementError('no hits')));
    expect(failed).toEqual(['hits']);
    const { parts } = parseResults(await read('performance/results.json'));
    expect(parts.planning).toMatchObject({
      command: 'measure planning',
      versions: { Node: '1', Redis: '2' },
      outcome: { kind: 'measured', data: planning },
    });
    expect(parts.hits?.outcome).toEqual({ kind: 'failed', reason: 'no hits' });
    expect(await read('performance.md')).toContain('no hits');
    expect(await read('performance/planning.svg')).toContain('JOIN');
  });

  it('looks at the machine before a part, and not in its time', async () => {
    const order: string[] = [];
    const wait = async () => {
      order.push('machine');
      seconds += 100;
      return machine();
    };
    const measure = async () => {
      order.push('part');
      seconds += 7;
      return { data: planning, versions: {} };
    };
    await run(['planning', 'planning'], measure, wait);
    expect(order).toEqual(['machine', 'part', 'machine', 'part']);
    const { parts } = parseResults(await read('performance/results.json'));
    expect(parts.planning).toMatchObject({ seconds: 7, machine: { usedByOthers: 0.6 } });
  });

  it('removes the plot of a part that failed when it was measured again', async () => {
    await run(['planning'], async () => ({ data: planning, versions: {} }));
    await run(['planning'], () => Promise.reject(new MeasurementError('no plans')));
    await expect(read('performance/planning.svg')).rejects.toThrow('ENOENT');
  });
});
