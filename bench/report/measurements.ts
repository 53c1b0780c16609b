import type { GatewayCommand } from '../started-gateway.ts';
import { measureCallers } from './callers/measure-callers.ts';
import { measureHits } from './hits/measure-hits.ts';
import { measureImports } from './imports/measure-imports.ts';
import { installPackages } from './install-packages.ts';
import { measureLatency } from './latency/measure-latency.ts';
import type { Measurement } from './measurement.ts';
import { measureMemory } from './memory/measure-memory.ts';
import { measureOverload } from './overload/measure-overload.ts';
import type { Pace } from './pace.ts';
import type { PartName } from './part-name.ts';
import { measurePlanning } from './planning/measure-planning.ts';
import { redisVersion } from './redis-server.ts';
import { measureStoreRefreshes } from './refreshes/measure-store-refreshes.ts';
import { measureServers } from './servers/measure-servers.ts';

export interface MeasurementOptions extends Pick<GatewayCommand, 'packageDir' | 'environment'> {
  readonly pace: Pace;
  readonly folder: string;
  /** Returns the folder of a store with so many rows, which is made if it isn't there. */
  readonly store: (rows: number) => Promise<string>;
  /** The current time, in microseconds since the epoch. */
  readonly now: () => bigint;
  readonly print: (text: string) => void;
}

const hostileCallers = 6;

/** The measurements of all parts. Each throws if it can't prove what it measured. */
export function measurements({
  pace,
  ...options
}: MeasurementOptions): Readonly<Record<PartName, () => Promise<Measurement>>> {
  const { rows, importRows, runs } = pace;
  const alone = (data: unknown): Measurement => ({ data, versions: {} });
  return {
    servers: () =>
      measureServers({
        ...pace.servers,
        competitorsFolder: () => installPackages('competitors', options.folder),
      }),
    latency: async () => {
      const chdbFolder = await installPackages('clickhouse', options.folder);
      const paced = { sizes: pace.sizes, ...(runs === undefined ? {} : { runs }) };
      return await measureLatency({ ...options, ...paced, chdbFolder });
    },
    refreshes: async () => {
      const chdbFolder = await installPackages('clickhouse', options.folder);
      const { sizes, runs: refreshes } = pace.refreshes;
      return await measureStoreRefreshes({ ...options, sizes, refreshes, chdbFolder });
    },
    callers: async () => {
      const versions = { Redis: await redisVersion() };
      return {
        data: await measureCallers({ ...options, ...pace.callers, rows, replicas: [1, 3] }),
        versions,
      };
    },
    overload: async () => alone(await measureOverload({ ...options, ...pace.overload, rows })),
    hits: async () => alone(await measureHits({ ...options, ...pace.hits, rows, callers: hostileCallers })),
    imports: async () => alone(await measureImports({ ...options, ...pace.imports, rows: importRows })),
    planning: async () => alone(await measurePlanning({ ...options, ...pace.planning })),
    memory: async () => alone(await measureMemory({ ...options, ...pace.memory, rows })),
  };
}
