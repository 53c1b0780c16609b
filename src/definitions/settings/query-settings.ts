import { classesSettings } from '../classes/class-settings.ts';
import { integer, setting } from './setting.ts';

/** How many queries run at the same time, and the memory of their analyzer. */
export const querySettings = {
  maxConcurrentQueries: setting(
    'MAX_CONCURRENT_QUERIES',
    integer(8, 1, 1000),
    '8',
    'Maximum number of queries that are planned or run at the same time. A quarter more may run for keys that have none. Further queries wait in a queue, in which keys [take turns](limits.md#shares-of-keys).',
  ),
  maxQueuedQueries: setting(
    'MAX_QUEUED_QUERIES',
    integer(100, 0, 100_000),
    '100',
    'Maximum number of queries of each class in the queue. Identical queries count as one. When it is full, queries of the key with most get status 503.',
  ),
  queryClasses: setting(
    'QUERY_CLASSES',
    classesSettings,
    'see [classes of queries](limits.md#classes-of-queries)',
    'What differs from the defaults of the classes of queries, as a comma-separated list: `background.permits=2,interactive.weight=32`. A class has `weight`, `permits`, `waiting`, `timeoutSeconds`, and for BigQuery jobs `priority` and `reservation`.',
  ),
  analyzerMemoryMb: setting(
    'ANALYZER_MEMORY_MB',
    integer(3000, 1500, 1_000_000),
    '3000',
    'Address space of each process of the GoogleSQL analyzer, in MB. There are two, and up to four while queries take long to analyze.',
  ),
};
