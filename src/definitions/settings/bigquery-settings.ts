import { z } from 'zod';
import { jobLocation } from '../jobs/job.ts';
import { labelKey } from '../jobs/labels.ts';
import { flag, namedValues, optionalInteger, setting } from './setting.ts';

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

/** Settings of BigQuery jobs. They apply only with `ENGINE=bigquery`. */
export const bigquerySettings = {
  googleCloudProject: setting(
    'GOOGLE_CLOUD_PROJECT',
    z.string().regex(projectName, 'expected a project id').optional(),
    'none',
    'Project that runs BigQuery jobs and pays for them. Required with `ENGINE=bigquery`.',
  ),
  bigqueryDataset: setting(
    'BIGQUERY_DATASET',
    z.string().regex(datasetName, 'expected dataset or project.dataset').optional(),
    'none',
    'Dataset of the tables that have the same name as their source: `dataset` or `project.dataset`. Required with `ENGINE=bigquery`.',
  ),
  bigqueryTables: setting(
    'BIGQUERY_TABLES',
    namedValues(tableName, 'expected source=table, source=dataset.table or source=project.dataset.table'),
    'none',
    'Comma-separated list of sources whose table has another name or dataset: `edge_logs=other-project.logs.edge`.',
  ),
  bigqueryLocation: setting(
    'BIGQUERY_LOCATION',
    jobLocation.optional(),
    'location of the dataset',
    'Location of BigQuery jobs.',
  ),
  bigqueryMaxBytesBilled: setting(
    'BIGQUERY_MAX_BYTES_BILLED',
    optionalInteger(1, Number.MAX_SAFE_INTEGER),
    'none',
    'Maximum bytes billed for one query. A query that would exceed it fails and costs nothing.',
  ),
  bigqueryJobTimeoutMs: setting(
    'BIGQUERY_JOB_TIMEOUT_MS',
    optionalInteger(1, 86_400_000),
    'request deadline',
    'Time limit that BigQuery enforces on a job, in milliseconds.',
  ),
  bigqueryPriority: setting(
    'BIGQUERY_PRIORITY',
    z.enum(['interactive', 'batch'], 'expected interactive or batch').default('interactive'),
    'interactive',
    'Priority of BigQuery jobs: `interactive` or `batch`.',
  ),
  bigqueryQueryCache: setting(
    'BIGQUERY_QUERY_CACHE',
    flag(true),
    'true',
    'Whether to use BigQuery’s query cache.',
  ),
  bigqueryJobCreation: setting(
    'BIGQUERY_JOB_CREATION',
    z.enum(['required', 'optional'], 'expected required or optional').default('required'),
    'required',
    '`optional` lets BigQuery answer short queries without creating a job. The other value is `required`.',
  ),
  bigqueryLabels: setting(
    'BIGQUERY_LABELS',
    namedValues(/^/, 'expected key=value').refine(
      (labels) => labels.keys().every((key) => labelKey(key) !== ''),
      'each key needs a letter',
    ),
    'none',
    'Labels of every BigQuery job: `team=x,env=y`.',
  ),
  bigqueryKeyBytesPerDay: setting(
    'BIGQUERY_KEY_BYTES_PER_DAY',
    optionalInteger(0, Number.MAX_SAFE_INTEGER),
    'none',
    'Maximum bytes billed for the queries of one API key per day (UTC).',
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
    'URL of another server with BigQuery’s REST API. If there are no credentials, requests are sent without.',
  ),
};
