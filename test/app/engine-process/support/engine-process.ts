import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest';
import { EngineClient } from '../../../../src/app/engine-process/engine-client.ts';
import { rowClient } from '../../../../src/app/engine-process/row-client.ts';
import { SupervisedEngine } from '../../../../src/app/engine-process/supervised-engine.ts';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { defaultTimeLimits } from '../../../../src/definitions/settings/ingest-settings.ts';
import type { EngineRequest } from '../../../../src/engines/engine/engine.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { makeSource, temporaryFolder } from '../../../engines/duckdb/store/support.ts';

const source = makeSource('logs', { name: 'text', type: 'STRING' });

export interface StartOptions {
  readonly dataDir?: string;
  readonly memoryLimit?: number;
}

type StartedEngine = EngineClient & { process: SupervisedEngine; rows: ReturnType<typeof rowClient> };

/** Starts engine processes over the source `logs`, and makes requests for them. All tests of a file share one analyzer. */
export function engineProcess() {
  const logged: string[] = [];
  let analyzer: Analyzer;
  beforeAll(async () => {
    analyzer = await Analyzer.start();
  });
  afterAll(() => analyzer?.close());
  afterEach(() => {
    logged.length = 0;
  });
  const log = (message: string, fields: object = {}) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);

  return {
    /** What the engines of the current test have logged. */
    logged,
    async startEngine({ dataDir, memoryLimit = 4e9 }: StartOptions = {}): Promise<StartedEngine> {
      const process = await SupervisedEngine.start({
        settings: {
          dataDir: dataDir ?? (await temporaryFolder()),
          sources: [source],
          memoryLimit: '1GB',
          threads: 2,
          maxFields: 1000,
          times: defaultTimeLimits,
        },
        clock: systemClock,
        log: { info: log, warn: log, error: log },
        memoryLimit,
      });
      onTestFinished(() => process.close());
      return Object.assign(new EngineClient(process, systemClock), { process, rows: rowClient(process) });
    },
    async request(sql: string, more: Partial<EngineRequest> = {}): Promise<EngineRequest> {
      const parameters = new Map();
      const statement = await analyzer.analyze(sql, { catalog: sourceCatalog([source]), parameters });
      const plan = newPlan({
        isCallers: false,
        sql,
        statement,
        columns: resultColumns(statement),
        parameters,
      });
      const { signal } = new AbortController();
      const job = { labels: [] } as unknown as EngineRequest['job'];
      return { plan, parameters, maxRows: 1_000, signal, timeoutMs: 120_000, job, ...more };
    },
  };
}

/** A line of a row to add. */
export const row = (id: string, text = 'x') =>
  `${JSON.stringify({ id, timestamp: '2026-01-01T00:00:00Z', text })}\n`;

export async function* bodyOf(...lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(line);
}

/** Uploads rows. */
export function add(engine: StartedEngine, body: AsyncIterable<Uint8Array>) {
  const { signal } = new AbortController();
  return engine.rows.receive('logs', body, { skipBadRows: false, signal });
}

/** A query that counts for minutes. */
export const endless =
  'SELECT COUNT(*) AS n FROM UNNEST(GENERATE_ARRAY(1, 1000000)) a, UNNEST(GENERATE_ARRAY(1, 1000000)) b WHERE MOD(a * b, 7) = 3';
