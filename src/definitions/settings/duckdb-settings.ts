import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { bytesOf } from '../../base/forms/bytes.ts';
import { integer, optionalInteger, setting } from './setting.ts';

const sizeExpected = 'expected a size such as 512MB or 2GiB';

function size(defaultText: string) {
  return z
    .string()
    .refine((text) => bytesOf(text) !== undefined, sizeExpected)
    .default(defaultText);
}

function optionalSize() {
  return z
    .string()
    .refine((text) => bytesOf(text) !== undefined, sizeExpected)
    .optional();
}

/** Below this, the process itself leaves too little memory for ordinary queries. */
const minMemory = { text: '512MB', bytes: 512e6 };

export const duckdbSettings = {
  duckdbMemoryLimit: setting(
    'DUCKDB_MEMORY_LIMIT',
    size('2GB').refine(
      (text) => (bytesOf(text) ?? Number.POSITIVE_INFINITY) >= minMemory.bytes,
      `${sizeExpected}, at least ${minMemory.text}`,
    ),
    '2GB',
    'Memory limit of the embedded engine’s process, at least 512MB. Above the limit, queries are stopped. If the process exceeds it by 400 MB, it is replaced.',
  ),
  duckdbTempLimit: setting(
    'DUCKDB_TEMP_LIMIT',
    size('20GB'),
    '20GB',
    'Maximum disk space for data that the embedded engine spills from memory.',
  ),
  slicesMemory: setting(
    'SLICES_MEMORY',
    size('64MB'),
    '64MB',
    'Memory for [slices](slices.md): of `DUCKDB_MEMORY_LIMIT`, or with BigQuery of the gateway’s process. With `0MB`, every query reads all of its rows.',
  ),
  sourceMaxFields: setting(
    'SOURCE_MAX_FIELDS',
    integer(1000, 1, 10_000),
    '1000',
    'Maximum number of fields of a source, including those in records, to which rows can [add fields](endpoints.md#settings-of-a-source).',
  ),
  duckdbThreads: setting(
    'DUCKDB_THREADS',
    integer(availableParallelism(), 1, 1024),
    'number of cores',
    'Number of threads of the embedded engine.',
  ),
  dataRetentionDays: setting(
    'DATA_RETENTION_DAYS',
    optionalInteger(1, 36_500),
    'rows are kept',
    'After how many days the embedded engine deletes rows, by their timestamps ([which rows](operating.md#old-rows-and-disk-space)). A source’s `retentionDays` takes precedence.',
  ),
  dataReserved: setting(
    'DATA_RESERVED_SPACE',
    optionalSize(),
    '2% of the disk, from 100MB to 1GB, at most a quarter of the disk',
    'Free space of the disk of `DATA_DIR` below which no rows are added. A smaller value than the default has no effect.',
  ),
};
