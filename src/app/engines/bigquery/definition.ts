import { credentialsProblem } from '../../../definitions/settings/google-environment.ts';
import { refusedFunctions } from '../../../engines/duckdb/functions/refused-functions.ts';
import type { EngineDefinition, RowsElsewhere, StoreTask } from '../engine/engine-definition.ts';
import { checkMapping } from './check-mapping.ts';

const name = 'bigquery';

const advice: Readonly<Record<StoreTask, string>> = {
  import: 'Import them',
  export: 'Export them',
  delete: 'Delete them',
  'back up': 'Back them up',
  restore: 'Restore them',
  check: 'Check them',
  change: 'Change their tables',
};

const elsewhere: RowsElsewhere = {
  place: 'BigQuery',
  refusal: (task) => `With ENGINE=${name}, rows are stored in BigQuery. ${advice[task]} there.`,
  clockRefusal: '--now: BigQuery has a clock of its own. Use --now with --engine duckdb.',
  async connect(config, planner, log) {
    const { openCommandBigQuery } = await import('./command-bigquery.ts');
    return openCommandBigQuery(config, planner, log);
  },
  emulated: (config, { url, projectId, datasetId }) => ({
    ...config,
    engine: name,
    googleCloudProject: projectId,
    bigqueryDataset: datasetId,
    bigqueryTables: new Map(),
    bigqueryLocation: undefined,
    bigqueryEmulatorHost: url,
    isMetadataServerGiven: false,
  }),
};

export const bigQuery: EngineDefinition = {
  name,
  isBilled: true,
  requiredVariables: ['GOOGLE_CLOUD_PROJECT', 'BIGQUERY_DATASET'],
  settingsProblem: credentialsProblem,
  elsewhere,
  unstorable: async () => [],
  checkSources: checkMapping,
  async checkPlan(plan) {
    const { checkPlan } = await import('../../../engines/bigquery/sql/check-plan.ts');
    return checkPlan(plan);
  },
  async slices(plan, sources, planner) {
    const { slicesOf } = await import('./slices-of.ts');
    return slicesOf(plan, sources, planner);
  },
  // An endpoint that BigQuery can't run has no engine that could.
  unsupported: { isServed: false, describe: (reason) => reason },
  // The analyzer knows these, and BigQuery lacks them.
  hasFunction: (called) => !Object.hasOwn(refusedFunctions, called.toLowerCase()),
  launch: () => ({
    async open(config, parts) {
      const { openBigQuery } = await import('./open-bigquery.ts');
      return openBigQuery(config, parts);
    },
    async end() {},
  }),
  async checkFiles(config, files, output) {
    const { checkEngine } = await import('./check-engine.ts');
    return checkEngine(config, files, output);
  },
  explain: {
    async statements(call) {
      const { sentSql } = await import('./command-bigquery.ts');
      return sentSql(call);
    },
    plans: '--plan: BigQuery has no plan for a query that has not run',
    async cost({ config, planner, request, log }) {
      const { openCommandBigQuery } = await import('./command-bigquery.ts');
      await using bigquery = await openCommandBigQuery(config, planner, log);
      const { bytesProcessed } = await bigquery.dryRun(request);
      return { bytesProcessed };
    },
  },
};
