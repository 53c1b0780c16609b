import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DuckDbEngine, type DuckDbRequest } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import type { EngineResult } from '../../../../src/engines/engine/engine.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan, type Plan, type PlanParts } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';

type Options = Omit<Parameters<typeof DuckDbEngine.open>[0], 'store' | 'now'>;

/** The embedded engine over an empty database in memory, for queries that read no table. Its wall clock stands still. */
export class MemoryEngine implements AsyncDisposable {
  readonly engine: DuckDbEngine;
  readonly #instance: DuckDBInstance;
  readonly #analyzer: Analyzer;

  private constructor(instance: DuckDBInstance, analyzer: Analyzer, engine: DuckDbEngine) {
    this.#instance = instance;
    this.#analyzer = analyzer;
    this.engine = engine;
  }

  static async open(options: Options = {}): Promise<MemoryEngine> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
    const store: Parameters<typeof DuckDbEngine.open>[0]['store'] = {
      connect: () => instance.connect(),
      async read(connection, task) {
        await connection.run('BEGIN TRANSACTION');
        try {
          return await task(() => false);
        } finally {
          await connection.run('ROLLBACK').catch(() => undefined);
        }
      },
    };
    const engine = await DuckDbEngine.open({ ...options, store, now: () => 0n });
    return new MemoryEngine(instance, await Analyzer.start(), engine);
  }

  /** A connection of its own, which the caller closes. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  async plan(sql: string, parameters: PlanParts['parameters'] = new Map()): Promise<Plan> {
    const statement = await this.#analyzer.analyze(sql, { catalog: { tables: [] }, parameters });
    return newPlan({ isCallers: false, sql, statement, columns: resultColumns(statement), parameters });
  }

  /** A request for a query without parameters. */
  async request(sql: string, more: Partial<DuckDbRequest> = {}): Promise<DuckDbRequest> {
    const { signal } = new AbortController();
    return { plan: await this.plan(sql), parameters: new Map(), maxRows: 100, signal, ...more };
  }

  async run(sql: string, more: Partial<DuckDbRequest> = {}): Promise<EngineResult> {
    return this.engine.run(await this.request(sql, more));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
    await this.#analyzer.close();
    this.#instance.closeSync();
  }
}
