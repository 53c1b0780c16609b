import { z } from 'zod';
import { jobLocation } from '../engines/job-location.ts';
import { labelKey } from '../labels.ts';
import { flag, namedValues, optionalInteger } from './forms.ts';
import { setting } from './setting.ts';

/** A project by id, an old one with its domain included (`example.com:logs`), or by number. */
const project = '(?:[A-Za-z0-9.-]{1,63}:)?[A-Za-z0-9][A-Za-z0-9_-]{0,62}';
const dataset = '[A-Za-z0-9_-]{1,1024}';
const projectName = new RegExp(`^${project}$`);
const datasetName = new RegExp(`^(?:${project}\\.)?${dataset}$`);
/** A table, with its dataset and project where they are given. */
const tableName = new RegExp(
  `^(?:(?:${project}\\.)?${dataset}\\.)?[\\p{L}\\p{M}\\p{N}\\p{Pc}\\p{Pd} ]{1,1024}$`,
  'u',
);

/** What queries on BigQuery need and may have; heeded with `ENGINE=bigquery` only. */
export const bigquerySettings = {
  googleCloudProject: setting(
    'GOOGLE_CLOUD_PROJECT',
    z.string().regex(projectName, 'expected a project id').optional(),
    'none',
    'the project that BigQuery jobs run in and are billed to',
  ),
  bigqueryDataset: setting(
    'BIGQUERY_DATASET',
    z.string().regex(datasetName, 'expected dataset or project.dataset').optional(),
    'none',
    'the dataset of the tables that are called as their sources: `dataset` or `project.dataset`',
  ),
  bigqueryTables: setting(
    'BIGQUERY_TABLES',
    namedValues(tableName, 'expected source=table, source=dataset.table or source=project.dataset.table'),
    'none',
    'tables of sources that are elsewhere or called otherwise: `edge_logs=other-project.logs.edge`, comma-separated',
  ),
  bigqueryLocation: setting(
    'BIGQUERY_LOCATION',
    jobLocation.optional(),
    "the dataset's",
    'where BigQuery jobs run',
  ),
  bigqueryMaxBytesBilled: setting(
    'BIGQUERY_MAX_BYTES_BILLED',
    optionalInteger(1, Number.MAX_SAFE_INTEGER),
    'none',
    'a query that would be billed more bytes fails, and bills nothing',
  ),
  bigqueryJobTimeoutMs: setting(
    'BIGQUERY_JOB_TIMEOUT_MS',
    optionalInteger(1, 86_400_000),
    'the deadline of the request',
    'milliseconds after which BigQuery ends a job by itself',
  ),
  bigqueryPriority: setting(
    'BIGQUERY_PRIORITY',
    z.enum(['interactive', 'batch'], 'expected interactive or batch').default('interactive'),
    'interactive',
    'priority of BigQuery jobs',
  ),
  bigqueryQueryCache: setting(
    'BIGQUERY_QUERY_CACHE',
    flag(true),
    'true',
    'whether rows may come from a cache of BigQuery’s own',
  ),
  bigqueryJobCreation: setting(
    'BIGQUERY_JOB_CREATION',
    z.enum(['required', 'optional'], 'expected required or optional').default('required'),
    'required',
    '`optional` lets BigQuery answer short queries without making jobs of them',
  ),
  bigqueryLabels: setting(
    'BIGQUERY_LABELS',
    namedValues(/^/, 'expected key=value').refine(
      (labels) => labels.keys().every((key) => labelKey(key) !== ''),
      'each key needs a letter',
    ),
    'none',
    'labels of every BigQuery job: `team=x,env=y`',
  ),
  bigqueryKeyBytesPerDay: setting(
    'BIGQUERY_KEY_BYTES_PER_DAY',
    optionalInteger(0, Number.MAX_SAFE_INTEGER),
    'none',
    'bytes that the queries of one key may be billed in a day (UTC)',
  ),
  bigqueryEmulatorHost: setting(
    'BIGQUERY_EMULATOR_HOST',
    z
      .string()
      .refine(
        (url) => /^https?:/.test(url) && URL.canParse(url),
        'expected a URL that starts with http:// or https://',
      )
      .optional(),
    'none',
    'URL of another server that speaks BigQuery’s REST API; without credentials it is asked without',
  ),
};
