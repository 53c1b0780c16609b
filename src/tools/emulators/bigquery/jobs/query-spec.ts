import { z } from 'zod';
import { GoogleError } from '../wire/google-error.ts';
import { wireParameter } from '../wire/query-parameters.ts';

const int64 = z.union([z.string(), z.number()]).transform(Number);

const defaultDataset = z.object({ datasetId: z.string().optional(), projectId: z.string().optional() });

/** The common part of `jobs.query` and the configuration of `jobs.insert`, after checking their form. */
const common = {
  defaultDataset: defaultDataset.nullish(),
  maximumBytesBilled: int64.nullish(),
  parameterMode: z.string().nullish(),
  query: z.string().nullish(),
  queryParameters: z.array(wireParameter).nullish(),
  useLegacySql: z.boolean().nullish(),
  useQueryCache: z.boolean().nullish(),
};

const ofBoth = {
  dryRun: z.boolean().nullish(),
  jobTimeoutMs: int64.nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  reservation: z.string().nullish(),
};

const insertBody = z.object({
  configuration: z
    .object({
      ...ofBoth,
      query: z.object({ ...common, priority: z.string().nullish() }).nullish(),
    })
    .nullish(),
  jobReference: z
    .object({
      jobId: z.string().nullish(),
      location: z.string().nullish(),
      projectId: z.string().nullish(),
    })
    .nullish(),
});

const queryBody = z.object({
  ...common,
  ...ofBoth,
  formatOptions: z
    .object({ timestampOutputFormat: z.string().nullish(), useInt64Timestamp: z.boolean().nullish() })
    .nullish(),
  jobCreationMode: z.string().nullish(),
  location: z.string().nullish(),
  maxResults: int64.nullish(),
  requestId: z.string().nullish(),
  timeoutMs: int64.nullish(),
});

/** A query to run, from either method. */
export interface QuerySpec {
  readonly projectId: string;
  /** As given in the request. Undefined if absent. */
  readonly location: string | undefined;
  readonly dryRun: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly jobTimeoutMs: number | undefined;
  readonly reservation: string | undefined;
  readonly priority: string;
  readonly query: QueryFields;
}

interface QueryFields {
  readonly sql: string | undefined;
  readonly useLegacySql: boolean;
  readonly useQueryCache: boolean;
  readonly maximumBytesBilled: number | undefined;
  readonly parameterMode: string | undefined;
  readonly parameters: readonly z.infer<typeof wireParameter>[];
  readonly defaultDataset: { readonly projectId: string; readonly datasetId: string } | undefined;
}

/** A request of `jobs.insert`. `spec` is undefined if the job is not a query. */
interface InsertRequest {
  readonly jobId: string | undefined;
  /** From the job's reference. */
  readonly projectId: string | undefined;
  readonly spec: QuerySpec | undefined;
}

export function readInsert(body: unknown, projectId: string): InsertRequest {
  const { configuration, jobReference } = insertBody.parse(body);
  const query = configuration?.query;
  return {
    jobId: jobReference?.jobId ?? undefined,
    projectId: jobReference?.projectId ?? undefined,
    spec: query
      ? {
          ...jobFields(configuration, projectId, jobReference?.location),
          priority: query.priority ?? 'INTERACTIVE',
          query: queryFields(query, projectId),
        }
      : undefined,
  };
}

/** The options of `jobs.query` besides the query. */
export interface SyncRequest {
  readonly spec: QuerySpec;
  readonly requestId: string | undefined;
  readonly isJobOptional: boolean;
  readonly maxResults: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly timestampOutputFormat: string | undefined;
  readonly useInt64Timestamp: boolean;
}

export function readQuery(body: unknown, projectId: string): SyncRequest {
  const request = queryBody.parse(body);
  return {
    spec: {
      ...jobFields(request, projectId, request.location),
      priority: 'INTERACTIVE',
      query: queryFields(request, projectId),
    },
    requestId: request.requestId ?? undefined,
    isJobOptional: request.jobCreationMode === 'JOB_CREATION_OPTIONAL',
    maxResults: request.maxResults ?? undefined,
    timeoutMs: request.timeoutMs ?? undefined,
    timestampOutputFormat: request.formatOptions?.timestampOutputFormat ?? undefined,
    useInt64Timestamp: request.formatOptions?.useInt64Timestamp ?? false,
  };
}

type Both = z.infer<z.ZodObject<typeof ofBoth>>;
type Common = z.infer<z.ZodObject<typeof common>>;

function jobFields(fields: Both, projectId: string, location: string | null | undefined) {
  return {
    projectId,
    location: location || undefined,
    dryRun: fields.dryRun ?? false,
    labels: fields.labels ?? {},
    jobTimeoutMs: fields.jobTimeoutMs ?? undefined,
    reservation: fields.reservation ?? undefined,
  };
}

function queryFields(fields: Common, projectId: string): QueryFields {
  const { defaultDataset: dataset } = fields;
  return {
    sql: fields.query ?? undefined,
    // Legacy SQL is the default.
    useLegacySql: fields.useLegacySql ?? true,
    useQueryCache: fields.useQueryCache ?? true,
    maximumBytesBilled: fields.maximumBytesBilled ?? undefined,
    parameterMode: fields.parameterMode ?? undefined,
    parameters: fields.queryParameters ?? [],
    defaultDataset: dataset?.datasetId
      ? { projectId: dataset.projectId ?? projectId, datasetId: dataset.datasetId }
      : undefined,
  };
}

const key = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const value = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;
const maxLabels = 64;

/**
 * Checks labels against BigQuery's rules: at most 64; keys of 1 to 63 characters that begin with a letter, values of at
 * most 63 characters, both of lower-case letters of any script, digits, `_` and `-`.
 *
 * Source: https://cloud.google.com/bigquery/docs/labels-intro#requirements
 */
export function checkLabels(labels: Readonly<Record<string, string>>): void {
  const entries = Object.entries(labels);
  if (entries.length > maxLabels) throw GoogleError.invalid(`Number of labels exceeds ${maxLabels}`);
  for (const [name, text] of entries) {
    if (!key.test(name)) {
      const rule =
        'Label keys must start with a lowercase letter and contain only lowercase letters, digits, _ and -; at most 63 characters';
      throw GoogleError.invalid(`Invalid label key ${JSON.stringify(name)}: ${rule}`);
    }
    if (!value.test(text)) {
      const rule = 'only lowercase letters, digits, _ and - are allowed; at most 63 characters';
      throw GoogleError.invalid(`Invalid label value ${JSON.stringify(text)}: ${rule}`);
    }
  }
}
