import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { integer } from './forms.ts';
import { setting } from './setting.ts';

export const duckdbSettings = {
  duckdbMemoryLimit: setting(
    'DUCKDB_MEMORY_LIMIT',
    z
      .string()
      .regex(/^\d+(\.\d+)? ?[KMGT]i?B$/i, 'expected a size such as 512MB or 2GiB')
      .default('2GB'),
    '2GB',
    'memory that the embedded engine may use',
  ),
  duckdbTempLimit: setting(
    'DUCKDB_TEMP_LIMIT',
    z
      .string()
      .regex(/^\d+(\.\d+)? ?[KMGT]i?B$/i, 'expected a size such as 512MB or 2GiB')
      .default('20GB'),
    '20GB',
    'disk space that the embedded engine may use for what does not fit into its memory',
  ),
  duckdbThreads: setting(
    'DUCKDB_THREADS',
    integer(availableParallelism(), 1, 1024),
    'number of cores',
    'threads of the embedded engine',
  ),
};
