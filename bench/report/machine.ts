import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type ProcessorTicks, parseProcessorTicks } from './processor-use.ts';
import type { Machine } from './results.ts';
import { rounded } from './spread.ts';

/**
 * This machine, now.
 *
 * @param usedByOthers the part of the processor time that others use, if it is known
 */
export function thisMachine(usedByOthers: number | undefined): Machine {
  return {
    processor: cpus()[0]?.model.trim() || 'an unknown processor',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    system: `${type()} ${release()}`,
    load: loadavg()[0] ?? 0,
    ...(usedByOthers === undefined ? {} : { usedByOthers: rounded(usedByOthers) }),
  };
}

/** What this machine's processors did until now. Undefined if the system isn't Linux. */
export async function processorTicks(): Promise<ProcessorTicks | undefined> {
  return parseProcessorTicks(await readFile('/proc/stat', 'utf8').catch(() => ''));
}

const packageFile = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/** The versions of the gateway, of Node and of DuckDB. */
export async function ownVersions(packageDir: string): Promise<Record<string, string>> {
  const text = await readFile(join(packageDir, 'package.json'), 'utf8');
  const { version, dependencies } = packageFile.parse(JSON.parse(text));
  return {
    'endpoint-gateway': version,
    Node: process.versions.node,
    '@duckdb/node-api': dependencies['@duckdb/node-api'] ?? 'unknown',
  };
}
