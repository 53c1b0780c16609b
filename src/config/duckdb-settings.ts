import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { bytesOf } from './byte-size.ts';
import { integer } from './forms.ts';
import { setting } from './setting.ts';

const sizeExpected = 'expected a size such as 512MB or 2GiB';

function size(defaultText: string) {
  return z
    .string()
    .refine((text) => bytesOf(text) !== undefined, sizeExpected)
    .default(defaultText);
}

/** With less, the rest of the process leaves too little for ordinary queries. */
const leastMemory = { text: '512MB', bytes: 512e6 };

export const duckdbSettings = {
  duckdbMemoryLimit: setting(
    'DUCKDB_MEMORY_LIMIT',
    size('2GB').refine(
      (text) => (bytesOf(text) ?? Number.POSITIVE_INFINITY) >= leastMemory.bytes,
      `${sizeExpected}, of at least ${leastMemory.text}`,
    ),
    '2GB',
    'memory that the process of the embedded engine may use, at least 512MB; beyond it queries are stopped, and 400 MB beyond it the process is replaced',
  ),
  duckdbTempLimit: setting(
    'DUCKDB_TEMP_LIMIT',
    size('20GB'),
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
