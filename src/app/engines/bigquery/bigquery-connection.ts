import { systemClock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { type Config, ConfigError } from '../../../definitions/settings/config.ts';
import type { ApiMeter } from '../../../engines/bigquery/api/api-meter.ts';
import type { BigQueryApi } from '../../../engines/bigquery/api/big-query-api.ts';
import {
  type TableMapping,
  type TableNames,
  tableNames,
} from '../../../engines/bigquery/text/table-names.ts';

export type BigQueryConfig = Pick<
  Config,
  | 'googleCloudProject'
  | 'bigqueryDataset'
  | 'bigqueryTables'
  | 'bigqueryLocation'
  | 'bigqueryEmulatorHost'
  | 'isMetadataServerGiven'
>;

/** A connection to BigQuery. */
export interface BigQueryConnection {
  readonly api: BigQueryApi & { close(): void };
  /** The project that jobs run in. */
  readonly project: string;
  readonly mapping: TableMapping;
  readonly names: TableNames;
}

/**
 * Creates a connection to BigQuery, without any request yet.
 *
 * @throws ConfigError if settings are missing
 */
export async function connectBigQuery(
  config: BigQueryConfig,
  log: Log,
  meter?: ApiMeter,
): Promise<BigQueryConnection> {
  const mapping = tableMapping(config);
  const { project } = mapping;
  // Google's client takes a third of a second to load, which other engines need not wait for.
  const { createBigQueryApi } = await import('../../../engines/bigquery/api/create-api.ts');
  const api = createBigQueryApi({
    project,
    location: config.bigqueryLocation,
    emulatorHost: config.bigqueryEmulatorHost,
    isMetadataServerGiven: config.isMetadataServerGiven,
    clock: systemClock,
    random: Math.random,
    log,
    meter,
  });
  return { api, project, mapping, names: tableNames(mapping) };
}

/** @throws ConfigError if settings are missing */
export function tableMapping({
  googleCloudProject: project,
  bigqueryDataset: dataset,
  bigqueryTables: tables,
}: BigQueryConfig): TableMapping {
  if (project !== undefined && dataset !== undefined) return { project, dataset, tables };
  throw new ConfigError([
    ...(project === undefined ? ['GOOGLE_CLOUD_PROJECT: required for BigQuery'] : []),
    ...(dataset === undefined ? ['BIGQUERY_DATASET: required for BigQuery'] : []),
  ]);
}
