/**
 * The messages of requests, for checks as strict as those of Google's servers.
 *
 * Source: BigQuery's discovery document (https://bigquery.googleapis.com/discovery/v1/apis/bigquery/v2/rest), from
 * which the client library's types are generated as well.
 */
export type FieldType =
  | 'string'
  /** Text in a wrapper message, which distinguishes an absent text from an empty one. */
  | 'stringValue'
  /**
   * As `text`, but numbers and booleans are accepted in place of their text: Google's client for Node sends parameters
   * so.
   */
  | 'parameterText'
  | 'bool'
  | 'boolValue'
  | 'int32'
  | 'uint32Value'
  /** Written as text because it has 64 bits. A number is accepted, too. */
  | 'int64'
  | 'int64Value'
  | { readonly enumOf: readonly string[] }
  | { readonly list: FieldType }
  | { readonly map: FieldType }
  | { readonly message: () => Message }
  /** Any JSON object: `google.protobuf.Struct`. */
  | 'struct'
  /** A part of BigQuery that the emulator lacks. Using it is refused with a message that says so. */
  | 'elsewhere'
  /** Present only in responses. Ignored in requests. */
  | 'output';

export type Message = Readonly<Record<string, FieldType>>;

const list = (element: FieldType): FieldType => ({ list: element });
const message = (definition: Message): FieldType => ({ message: () => definition });

const datasetReference: Message = { datasetId: 'string', projectId: 'string' };

const queryParameterType: Message = {
  arrayType: { message: () => queryParameterType },
  rangeElementType: 'elsewhere',
  structTypes: list({
    message: () => ({
      description: 'string',
      name: 'string',
      type: { message: () => queryParameterType },
    }),
  }),
  timestampPrecision: 'int64Value',
  type: 'string',
};

const queryParameterValue: Message = {
  arrayValues: list({ message: () => queryParameterValue }),
  rangeValue: 'elsewhere',
  structValues: { map: { message: () => queryParameterValue } },
  value: 'parameterText',
};

const queryParameter: Message = {
  name: 'string',
  parameterType: message(queryParameterType),
  parameterValue: message(queryParameterValue),
};

const timestampOutputFormats = ['TIMESTAMP_OUTPUT_FORMAT_UNSPECIFIED', 'FLOAT64', 'INT64', 'ISO8601_STRING'];

const connectionProperty: Message = { key: 'string', value: 'string' };

/** The body of `jobs.query`. */
export const queryRequest: Message = {
  arrowSerializationOptions: 'elsewhere',
  connectionProperties: list(message(connectionProperty)),
  continuous: 'elsewhere',
  createSession: 'elsewhere',
  defaultDataset: message(datasetReference),
  destinationEncryptionConfiguration: 'elsewhere',
  dryRun: 'bool',
  formatOptions: message({
    timestampOutputFormat: { enumOf: timestampOutputFormats },
    useInt64Timestamp: 'bool',
  }),
  jobCreationMode: {
    enumOf: ['JOB_CREATION_MODE_UNSPECIFIED', 'JOB_CREATION_REQUIRED', 'JOB_CREATION_OPTIONAL'],
  },
  jobTimeoutMs: 'int64Value',
  kind: 'string',
  labels: { map: 'string' },
  location: 'string',
  maxResults: 'uint32Value',
  maxSlots: 'int32',
  maximumBytesBilled: 'int64Value',
  parameterMode: 'string',
  preserveNulls: 'boolValue',
  query: 'string',
  queryParameters: list(message(queryParameter)),
  queryResultsFormat: 'elsewhere',
  requestId: 'string',
  reservation: 'stringValue',
  secureContext: 'elsewhere',
  timeoutMs: 'uint32Value',
  useLegacySql: 'boolValue',
  useQueryCache: 'boolValue',
  writeIncrementalResults: 'bool',
};

const jobConfigurationQuery: Message = {
  allowLargeResults: 'boolValue',
  clustering: 'elsewhere',
  connectionProperties: list(message(connectionProperty)),
  continuous: 'elsewhere',
  createDisposition: 'string',
  createSession: 'elsewhere',
  defaultDataset: message(datasetReference),
  destinationEncryptionConfiguration: 'elsewhere',
  destinationTable: 'elsewhere',
  flattenResults: 'boolValue',
  maximumBillingTier: 'int32',
  maximumBytesBilled: 'int64Value',
  parameterMode: 'string',
  preserveNulls: 'boolValue',
  priority: 'string',
  query: 'string',
  queryParameters: list(message(queryParameter)),
  rangePartitioning: 'elsewhere',
  schemaUpdateOptions: 'elsewhere',
  scriptOptions: 'elsewhere',
  secureContext: 'elsewhere',
  systemVariables: 'output',
  tableDefinitions: 'elsewhere',
  timePartitioning: 'elsewhere',
  useLegacySql: 'boolValue',
  useQueryCache: 'boolValue',
  userDefinedFunctionResources: 'elsewhere',
  writeDisposition: 'string',
  writeIncrementalResults: 'bool',
};

/** The body of `jobs.insert`. */
export const job: Message = {
  configuration: message({
    copy: 'elsewhere',
    dryRun: 'boolValue',
    extract: 'elsewhere',
    jobTimeoutMs: 'int64Value',
    jobType: 'string',
    labels: { map: 'string' },
    load: 'elsewhere',
    maxSlots: 'int32',
    query: message(jobConfigurationQuery),
    reservation: 'stringValue',
  }),
  etag: 'string',
  id: 'string',
  jobCreationReason: 'output',
  jobReference: message({ jobId: 'string', location: 'stringValue', projectId: 'string' }),
  kind: 'string',
  principal_subject: 'string',
  selfLink: 'string',
  statistics: 'output',
  status: 'output',
  user_email: 'string',
};

/** The body of `tabledata.insertAll`. */
export const tableDataInsertAllRequest: Message = {
  ignoreUnknownValues: 'boolValue',
  kind: 'string',
  rows: list(message({ insertId: 'string', json: 'struct' })),
  skipInvalidRows: 'boolValue',
  templateSuffix: 'string',
  traceId: 'string',
};
