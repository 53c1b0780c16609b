import { type Clock, systemClock } from '../../../../../src/base/system/clock.ts';
import { createBigQueryApi } from '../../../../../src/engines/bigquery/api/create-api.ts';
import { BigQueryInserter } from '../../../../../src/engines/bigquery/insert/bigquery-inserter.ts';
import { tableNames } from '../../../../../src/engines/bigquery/text/table-names.ts';
import type { BigQueryServer } from '../../../../../src/tools/emulators/bigquery/start-server.ts';
import { dataset } from '../../../../tools/emulators/bigquery/support/served-rows.ts';

interface Options {
  readonly clock?: Clock;
  readonly maxBytesInFlight?: number;
}

/** The inserter as it is put together for a server, over HTTP, without pauses between attempts. */
export function servedInserter({ url }: Pick<BigQueryServer, 'url'>, options: Options = {}) {
  const warnings: string[] = [];
  const log = {
    info() {},
    error() {},
    warn: (message: string, fields: object = {}) =>
      void warnings.push(`${message} ${JSON.stringify(fields)}`),
  };
  const { projectId: project, datasetId } = dataset;
  const api = createBigQueryApi({
    project,
    emulatorHost: url,
    isMetadataServerGiven: false,
    clock: systemClock,
    random: () => 0,
    log,
  });
  const names = tableNames({ project, dataset: datasetId, tables: new Map([['renamed', 'other-name']]) });
  const inserter = new BigQueryInserter({ api, names, clock: systemClock, log, ...options });
  return {
    inserter,
    warnings,
    [Symbol.dispose]() {
      inserter.close();
      api.close();
    },
  };
}
