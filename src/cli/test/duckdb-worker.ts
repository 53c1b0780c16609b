import { judge } from '../../endpoint-tests/compare/judge.ts';
import { branchPointsThatRun } from '../../endpoint-tests/coverage/branches.ts';
import type { CoveredCall } from '../../endpoint-tests/coverage/coverage.ts';
import { takenBranches } from '../../endpoint-tests/coverage/taken-branches.ts';
import { readJsonObject } from '../../endpoint-tests/exact-json.ts';
import { givenParameters } from '../../endpoint-tests/given-parameters.ts';
import { isError, type Outcome } from '../../endpoint-tests/outcome.ts';
import type { TestCase } from '../../endpoint-tests/test-case.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { coerceParameters } from '../../endpoints/parameters/coerce.ts';
import { timeoutMsOf } from '../../endpoints/query-timeout.ts';
import { DuckDbEngine, type DuckDbRequest } from '../../engines/duckdb/duckdb-engine.ts';
import { emitExpression } from '../../engines/duckdb/emit/emit-query.ts';
import { emitContext } from '../../engines/duckdb/emit-context.ts';
import { type MemoryStore, openMemoryStore } from '../../engines/duckdb/store/memory-store.ts';
import { GatewayError } from '../../errors.ts';
import { hiddenClasses } from '../../redaction/pii-class.ts';
import { redactedError } from '../../redaction/redact-error.ts';
import { redactRows } from '../../redaction/redact-result.ts';
import { rowRenderer } from '../../rest/render/row-renderer.ts';
import type { AdHocQueries } from '../../sandbox/ad-hoc-query.ts';
import type { Source } from '../../sources/source.ts';
import { columnNames } from '../../sql/column-names.ts';
import type { AnyNode } from '../../sql/resolved/node.ts';
import { withinQueryTime } from '../within-query-time.ts';
import { haveSameRows } from './have-same-rows.ts';
import type { ReadyCase } from './load-tests.ts';
import type { CaseVerdict, CaseWorker } from './run-tests.ts';

interface WorkerOptions {
  readonly sources: readonly Source[];
  readonly queries: AdHocQueries;
  /** Time limit of a query in milliseconds. Its endpoint can have a shorter one. */
  readonly timeoutMs: number;
  /** What the clock of cases shows that don't say it, in microseconds since the epoch. */
  readonly now: bigint;
}

interface CaseAnswer extends Pick<CaseVerdict, 'call'> {
  /** Its error, if it has one that callers get. */
  readonly outcome: Outcome;
}

/** Runs cases on the embedded engine over a store of its own in memory, one at a time. */
export class DuckDbWorker implements CaseWorker {
  readonly #options: WorkerOptions;
  readonly #store: MemoryStore;
  readonly #engine: DuckDbEngine;
  /** What the clock of queries shows. */
  readonly #clock: { now: bigint };
  #rows: ReadyCase['rows'] = [];

  private constructor(
    options: WorkerOptions,
    store: MemoryStore,
    engine: DuckDbEngine,
    clock: { now: bigint },
  ) {
    this.#options = options;
    this.#store = store;
    this.#engine = engine;
    this.#clock = clock;
  }

  static async open(options: WorkerOptions): Promise<DuckDbWorker> {
    const store = await openMemoryStore(options.sources, { threads: 1 });
    try {
      const clock = { now: options.now };
      const engine = await DuckDbEngine.open({ store, now: () => clock.now });
      return new DuckDbWorker(options, store, engine, clock);
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  async run(
    endpoint: Endpoint,
    { test, rows }: ReadyCase,
    { withCoverage, signal }: { readonly withCoverage: boolean; readonly signal: AbortSignal },
  ): Promise<CaseVerdict> {
    if (!haveSameRows(rows, this.#rows)) {
      this.#rows = [];
      await this.#store.replaceRows(rows);
      this.#rows = rows;
    }
    this.#clock.now = test.now ?? this.#options.now;
    const timeoutMs = Math.min(this.#options.timeoutMs, timeoutMsOf(endpoint));
    const { outcome, ...covered } = await withinQueryTime(timeoutMs, signal, (limited) =>
      this.#answer(endpoint, test, withCoverage, limited, timeoutMs),
    );
    const failures = judge(test.expectation, outcome);
    return { failures, ...covered, ...(!isError(outcome) && { rows: outcome.rows }) };
  }

  async #answer(
    endpoint: Endpoint,
    test: TestCase,
    withCoverage: boolean,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<CaseAnswer> {
    const hidden = hiddenClasses(endpoint, false);
    let call: CoveredCall | undefined;
    try {
      const given = givenParameters(endpoint, test);
      const parameters = coerceParameters(endpoint, given);
      const { plan } =
        test.query === undefined ? endpoint : await this.#options.queries.plan(endpoint, test.query, signal);
      const request = { plan, parameters, maxRows: endpoint.maxRows, signal, timeoutMs };
      if (withCoverage) call = { test, given, branches: await this.#branches(request) };
      const { rows, columns, truncated } = await this.#engine.run(request);
      const shown = await redactRows(await rows.all(), columns, hidden, signal);
      const render = rowRenderer(columns, test.style);
      const outcome = {
        columns: columnNames(columns),
        rows: shown.map((row) => readJsonObject(render(row))),
        truncated,
      };
      return { outcome, ...(call && { call }) };
    } catch (thrown) {
      const error = redactedError(thrown, hidden);
      if (!(error instanceof GatewayError)) throw error;
      const { parameter } = error.details;
      const { code, message } = error;
      return {
        outcome: { error: { code, message, ...(parameter !== undefined && { parameter }) } },
        ...(call && { call }),
      };
    }
  }

  #branches({ plan, parameters }: DuckDbRequest): Promise<ReadonlySet<string>> {
    return takenBranches(branchPointsThatRun(plan), async (conditions) => {
      const context = emitContext(plan, parameters, this.#clock.now);
      const connection = await this.#store.connect();
      const ask = async (asked: readonly AnyNode[]): Promise<(boolean | null | undefined)[]> => {
        const sql = asked.map((condition) => emitExpression(condition, context));
        const reader = await connection.runAndReadAll(`SELECT ${sql.join(', ')}`);
        return reader
          .getRows()
          .flat()
          .map((value) => (typeof value === 'boolean' || value === null ? value : undefined));
      };
      try {
        return await ask(conditions);
      } catch {
        // A condition that fails takes no branch. If the query evaluates it, the case shows the error.
        const values: (boolean | null | undefined)[] = [];
        for (const condition of conditions) values.push(...(await ask([condition]).catch(() => [undefined])));
        return values;
      } finally {
        connection.closeSync();
      }
    });
  }

  async close(): Promise<void> {
    await this.#engine.close();
    await this.#store.close();
  }
}
