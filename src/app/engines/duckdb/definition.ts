import { systemClock } from '../../../base/system/clock.ts';
import { refusedFunctions } from '../../../engines/duckdb/functions/refused-functions.ts';
import { launchEngine } from '../../engine-process/launched-engine.ts';
import type { EngineDefinition, LaunchedEngine } from '../engine/engine-definition.ts';

/** Only BigQuery has functions of geographies. */
const ofGeographies = /^(?:ST|S2)_/;

/** The embedded engine. Its rows are in the store of `DATA_DIR`. */
export const duckDb: EngineDefinition = {
  name: 'duckdb',
  isBilled: false,
  requiredVariables: [],
  async unstorable(source) {
    const { findUnstorable } = await import('../../../engines/duckdb/store/tables/source-table.ts');
    return findUnstorable(source);
  },
  checkSources() {},
  async checkPlan(plan) {
    const { checkPlan } = await import('../../../engines/duckdb/run/check-plan.ts');
    return checkPlan(plan);
  },
  unsupported: {
    isServed: true,
    describe: (reason) => `${reason}. The embedded engine cannot run this endpoint`,
  },
  hasFunction: (name) => !Object.hasOwn(refusedFunctions, name.toLowerCase()) && !ofGeographies.test(name),
  launch,
  async checkFiles(_config, _files, { err }) {
    err('--engine: ignored, because the engine is DuckDB (ENGINE=bigquery is not set)\n');
    return undefined;
  },
  dryRunRefusal: '--dry-run: only with --engine bigquery',
  async slices(plan, sources) {
    return (await import('./slices-of.ts')).slicesOf(plan, sources);
  },
  explain: {
    async statements({ request, sources }) {
      const { sqlWithoutStore } = await import('./explain.ts');
      return sqlWithoutStore(request, sources);
    },
    async readable(sql, plan) {
      const { readableSql } = await import('./readable-sql.ts');
      return readableSql(sql, plan);
    },
    async plans(call, sql) {
      const { plansOf } = await import('./explain.ts');
      return plansOf(call, sql);
    },
    async cost(call) {
      const { costOf } = await import('./explain.ts');
      return costOf(call);
    },
  },
};

/** Starts the engine process, and loads what opens it at the same time. */
function launch(): LaunchedEngine {
  const launched = launchEngine(systemClock);
  const loaded = import('./open-engine-process.ts');
  // A failure reaches the code that awaits it later.
  launched.catch(() => {});
  loaded.catch(() => {});
  return {
    async open(config, { sources, log, onLoopDelay }) {
      const { openEngineProcess } = await loaded;
      return openEngineProcess(config, sources, { log, launched, onLoopDelay });
    },
    async end() {
      const engine = await launched.catch(() => undefined);
      await engine?.child.end('the gateway could not be started');
    },
  };
}
