import { once } from 'node:events';
import type { DuckDBConnection } from '@duckdb/node-api';
import { memoized } from '../../../base/async/memoized.ts';
import type { GatewayError } from '../../../base/errors/errors.ts';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import { nodesOf } from '../../../sql/plan/tree-nodes.ts';
import type { Row } from '../../../sql/values/value.ts';
import type {
  Engine,
  EngineRequest,
  EngineResult,
  Estimate,
  StreamEnd,
  TakeColumns,
  TakeRows,
} from '../../engine/engine.ts';
import type { QueryProfile } from '../../engine/profile.ts';
import { scanRefusal } from '../../engine/scan-limit.ts';
import { rowsInMemory } from '../../rows/result-rows.ts';
import type { EmittedQuery } from '../emit/emitter/context.ts';
import { ScanEstimates } from '../estimates/scan-estimates.ts';
import { FunctionTime } from '../guard/function-time.ts';
import { type MemoryGuard, noMemoryGuard } from '../guard/memory-guard.ts';
import { isOver, RunningQueries, type RunningQuery } from '../guard/running-queries.ts';
import { installMacros } from '../macros/install.ts';
import { readProfile } from '../profile/read-profile.ts';
import type { Slices, UnslicedRun } from '../slices/slices.ts';
import type { Store } from '../store/store.ts';
import { type KeySql, keySql, usualKey } from '../store/tables/key-sql.ts';
import { installOwnJsFunctions } from '../udf/install.ts';
import { checkPlan } from './check-plan.ts';
import { readColumns } from './columns/read-columns.ts';
import { ConnectionPool } from './connection-pool.ts';
import { sourceName } from './emit-context.ts';
import { queryError } from './engine-error.ts';
import { type Answered, inSlices } from './in-slices.ts';
import { runInterruptibly } from './interruptible.ts';
import { QuerySql } from './query-sql.ts';
import { refuseNullElements } from './rows/null-elements.ts';
import { type Execute, RowReader, readRows } from './rows/read-rows.ts';

interface DuckDbEngineOptions {
  readonly store: Pick<Store, 'connect' | 'read'> & Partial<Pick<Store, 'sources' | 'refusalOf' | 'layout'>>;
  /** Without it, every query reads all of its rows. */
  readonly slices?: Slices;
  /** The wall clock: microseconds since the epoch. */
  readonly now: () => bigint;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number;
  /** Without it, only the store's own limits apply. */
  readonly memory?: MemoryGuard;
}

/** The part of a request that the embedded engine uses. It has no jobs. */
export type DuckDbRequest = Omit<EngineRequest, 'timeoutMs' | 'job'> &
  Partial<Pick<EngineRequest, 'timeoutMs'>> & {
    /** Whether all of its rows are read, whatever slices are kept. */
    readonly readsAllRows?: boolean;
  };

/** Receives the rows of a result. */
interface RowSink {
  /** Called at the start and at each restart, which discards earlier rows. */
  readonly begin: () => void | Promise<void>;
  readonly take: TakeRows;
}

/** The limits of a request's work. */
type Bounds = Pick<DuckDbRequest, 'signal' | 'timeoutMs' | 'account'>;

/** A query, and who runs it. */
interface AccountQuery extends RunningQuery {
  readonly account: DuckDbRequest['account'];
}

/** The environment of a task. */
interface Running {
  readonly connection: DuckDBConnection;
  /** Gets what still happens on the connection when the task has ended. */
  readonly afterwards: (end: Promise<void>) => void;
  readonly signal: AbortSignal;
  /** Measures its functions in JavaScript. Absent if only one thread at a time calls them. */
  readonly functionTime: FunctionTime | undefined;
  /** Whether it may be answered from slices. */
  readonly isSliced?: boolean;
}

type Task<T> = (running: Running) => Promise<T>;

/** The embedded engine: GoogleSQL, resolved by the analyzer and emitted as DuckDB SQL, over the store. */
export class DuckDbEngine implements Engine {
  readonly name = 'duckdb';
  readonly readsWanted = true;
  readonly usesAllProcessors = true;
  readonly #store: DuckDbEngineOptions['store'];
  readonly #pool: ConnectionPool;
  readonly #now: () => bigint;
  readonly #elapsed: () => number;
  readonly #memory: MemoryGuard;
  readonly #slices: Slices | undefined;
  readonly #queries: RunningQueries;
  /** The connections with their own copies of functions. */
  readonly #withFunctionCopies = new WeakSet<DuckDBConnection>();
  #ownFunctions = 0;
  readonly #sql = new QuerySql((source) => keyOfStored(this.#store, source));
  readonly #estimates = new ScanEstimates({
    layoutVersion: () => this.#store.layout,
    keyOf: (source) => keyOfStored(this.#store, source),
  });

  private constructor(options: DuckDbEngineOptions, queries: RunningQueries) {
    const { store, now, elapsed = () => performance.now(), memory = noMemoryGuard() } = options;
    this.#memory = memory;
    this.#slices = options.slices;
    this.#store = store;
    this.#pool = new ConnectionPool(() => store.connect());
    this.#now = now;
    this.#elapsed = elapsed;
    this.#queries = queries;
  }

  /** Creates the engine over an open store. */
  static async open(options: DuckDbEngineOptions): Promise<DuckDbEngine> {
    const { store, elapsed, memory: room } = options;
    const queries = new RunningQueries();
    const connection = await store.connect();
    try {
      await installMacros(connection, { elapsed, room, queries });
    } finally {
      connection.closeSync();
    }
    return new DuckDbEngine(options, queries);
  }

  prepare(plan: Plan): Promise<void> {
    return checkPlan(plan);
  }

  async run(request: DuckDbRequest): Promise<EngineResult> {
    let rows: Row[] = [];
    const end = await this.read(request, {
      begin() {
        rows = [];
      },
      take(more) {
        for (const row of more) rows.push(row);
      },
    });
    return { columns: request.plan.columns, rows: rowsInMemory(rows), ...end };
  }

  stream(request: DuckDbRequest, take: TakeColumns): Promise<StreamEnd> {
    const { maxRows } = request;
    const refusal = this.#refusalOf(request.plan);
    if (refusal !== undefined) return Promise.reject(refusal);
    const onCopied = (bytes: number) => this.#memory.releasedRows(bytes * copiesOfColumns);
    // Rows that were handed over can't be taken back, so a stream must not have to begin again.
    return this.#attempt(this.#endingInTime(request), async (running) => {
      await this.#refuseAboveLimit(running, request);
      return await this.#read(running, request, (query, execute) =>
        readColumns(query, execute, { maxRows, onCopied }, take),
      );
    });
  }

  /** Runs a query and reads its rows. Fails like `run`. */
  read(request: DuckDbRequest, { begin, take }: RowSink): Promise<StreamEnd> {
    const { plan, maxRows } = request;
    const refusal = this.#refusalOf(plan);
    if (refusal !== undefined) return Promise.reject(refusal);
    const readResult = async (query: EmittedQuery, execute: Execute) => {
      const reader = new RowReader();
      let count = 0;
      try {
        await readRows(query, execute, reader, (rows) => {
          refuseNullElements(plan.columns, rows);
          const room = maxRows - count;
          count += rows.length;
          return take(count > maxRows ? rows.slice(0, room) : rows);
        });
      } finally {
        this.#memory.releasedRows(reader.bytes);
      }
      return count > maxRows;
    };
    return this.#run(request, async (running) => {
      await this.#refuseAboveLimit(running, request);
      const readAll = async (isSliced: boolean) => {
        await begin();
        return await this.#read({ ...running, isSliced }, request, readResult);
      };
      if (request.readsAllRows === true || !this.#maySlice(running, plan)) return await readAll(false);
      try {
        return await readAll(true);
      } catch (error) {
        running.signal.throwIfAborted();
        if (running.functionTime?.isTooLong === true) throw error;
        // The error of the query itself, if there is one, doesn't depend on slices.
        this.#slices?.failed(error);
        return await readAll(false);
      }
    });
  }

  /**
   * The statements that a run would execute now. Those after the first read columns of its rows, here of the row with
   * key 0. Fails like `run`, but tables may be missing.
   */
  sqlOf(request: DuckDbRequest): Promise<readonly string[]> {
    return this.#run(request, async (running) => {
      const { connection, signal } = running;
      const execute: Execute = (sql, take) => runInterruptibly(connection, sql, signal, take);
      const { result } = await this.#inSnapshot(running, request, execute, async ({ sql, late }) => [
        sql,
        ...late.map(({ sqlFor }) => sqlFor([0n])),
      ]);
      return result;
    });
  }

  /** DuckDB's plan of such SQL, drawn as boxes. */
  planOf(sql: string, signal: AbortSignal): Promise<string> {
    return this.#run({ signal }, async ({ connection }) => {
      const rows = await connection.runAndReadAll(`EXPLAIN ${sql}`);
      return rows
        .getRows()
        .map(([, plan]) => String(plan))
        .join('\n');
    });
  }

  /**
   * Runs a task on all threads. If its functions in JavaScript block the event loop, runs it again with each function
   * called by one thread at a time.
   */
  async #run<T>(request: Bounds, task: Task<T>): Promise<T> {
    const query = this.#endingInTime(request);
    const functionTime = new FunctionTime();
    try {
      return await this.#attempt({ ...query, functionTime, answer: { bytes: 0 } }, task);
    } catch (error) {
      if (!functionTime.isTooLong) throw error;
    }
    return this.#attempt({ ...query, answer: { bytes: 0 } }, task);
  }

  #endingInTime({ signal, timeoutMs, account }: Bounds): AccountQuery {
    return { signal, account, endsAt: timeoutMs && this.#elapsed() + timeoutMs };
  }

  #attempt<T>({ account, ...query }: AccountQuery, task: Task<T>): Promise<T> {
    const inOneThread = query.functionTime === undefined;
    return this.#memory.run({ signal: query.signal, account }, (signal) =>
      this.#pool.use(signal, async (connection, afterwards) => {
        if (inOneThread) await this.#installFunctionCopies(connection);
        const running = () => task({ connection, afterwards, signal, functionTime: query.functionTime });
        try {
          return await this.#queries.during(connection, { ...query, signal }, running);
        } catch (error) {
          // Functions notice the deadline even while the timer that aborts the signal is blocked.
          if (isOver({ ...query, signal }, this.#elapsed())) await aborted(signal);
          signal.throwIfAborted();
          throw error;
        }
      }),
    );
  }

  async #installFunctionCopies(connection: DuckDBConnection): Promise<void> {
    if (this.#withFunctionCopies.has(connection)) return;
    const suffix = `_${++this.#ownFunctions}`;
    await installOwnJsFunctions(connection, suffix, {
      elapsed: this.#elapsed,
      room: this.#memory,
      queries: this.#queries,
    });
    this.#withFunctionCopies.add(connection);
  }

  /** @param readResult reads a result, and returns whether it had more rows than wanted */
  async #read(
    running: Running,
    request: DuckDbRequest,
    readResult: (query: EmittedQuery, execute: Execute) => Promise<boolean>,
  ): Promise<StreamEnd> {
    const { connection, signal } = running;
    let engineMs = 0;
    const execute: Execute = async (sql, take, isSmall) => {
      const started = this.#elapsed();
      try {
        await runInterruptibly(connection, sql, signal, take, isSmall);
      } finally {
        engineMs += this.#elapsed() - started;
      }
    };
    const { result, slices } = await this.#inSnapshot(running, request, execute, (query) =>
      readResult(query, execute),
    );
    return { truncated: result, engineMs, ...(slices && { slices }) };
  }

  /** The error of a query that reads a source which is unavailable. */
  #refusalOf({ tables }: Plan): GatewayError | undefined {
    for (const table of tables) {
      const refusal = this.#store.refusalOf?.(sourceName(table));
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  /** Whether a run could be answered from slices. Functions that block the event loop run apart, and rarely. */
  #maySlice({ functionTime }: Running, plan: Plan): boolean {
    if (this.#slices === undefined || functionTime === undefined) return false;
    return isAggregate(plan) && !this.#slices.areSmall(plan.tables);
  }

  /** Uses the SQL of a request in a snapshot of the store: it depends on which tables have rows. */
  async #inSnapshot<T>(
    running: Running,
    { plan, parameters, maxRows, wanted = 'all' }: DuckDbRequest,
    execute: Execute,
    use: (query: EmittedQuery) => Promise<T>,
  ): Promise<Answered<T>> {
    const { connection, afterwards, signal, functionTime } = running;
    const inOneThread = functionTime === undefined;
    const run = { plan, parameters, maxRows, wanted, inOneThread, now: this.#now() };
    const { isSliced = false } = running;
    let unsliced: UnslicedRun | undefined;
    for (const sliced of isSliced ? [true, false] : [false]) {
      const sql = this.#sql.of({ ...run, isSliced: sliced }, execute, signal);
      for (const prepare of [sql.compiled, sql.emitted]) {
        const queryFor = await prepare();
        if (queryFor === undefined) continue;
        try {
          const outcome = sliced
            ? await inSlices(
                { ...running, store: this.#store, slices: this.#slices as Slices, plan },
                queryFor,
                execute,
                use,
              )
            : await this.#store.read(
                connection,
                async (isFlatOnly) => {
                  const query = await queryFor(isFlatOnly);
                  if (query === undefined) return undefined;
                  const started = this.#elapsed();
                  const result = await use(query);
                  unsliced?.took(this.#elapsed() - started);
                  return { result };
                },
                afterwards,
              );
          if (outcome === undefined) continue;
          if ('result' in outcome) return outcome;
          unsliced = outcome;
          break;
        } catch (error) {
          throw queryError(error);
        }
      }
    }
    throw new Error('A query has no SQL');
  }

  /** Slices may save a part of what it says. */
  estimate(request: DuckDbRequest): Promise<Estimate> {
    const refusal = this.#refusalOf(request.plan);
    if (refusal !== undefined) return Promise.reject(refusal);
    return this.#run(request, (running) => this.#estimated(running, request));
  }

  /** Reads all rows, whatever slices are kept. */
  profile(request: DuckDbRequest): Promise<QueryProfile> {
    const refusal = this.#refusalOf(request.plan);
    if (refusal !== undefined) return Promise.reject(refusal);
    return this.#run(request, async (running) => {
      await this.#refuseAboveLimit(running, request);
      const { connection, signal } = running;
      const execute: Execute = (sql, take) => runInterruptibly(connection, sql, signal, take, true);
      const { result } = await this.#inSnapshot(running, request, execute, async ({ sql }) => {
        const texts: string[] = [];
        await execute(`EXPLAIN (ANALYZE, FORMAT json) ${sql}`, (chunk) => {
          for (const [, json] of chunk.getRows()) texts.push(String(json));
        });
        return readProfile(texts.join(''));
      });
      return result;
    });
  }

  /** @throws GatewayError COST_LIMIT_EXCEEDED */
  async #refuseAboveLimit(running: Running, request: DuckDbRequest): Promise<void> {
    const { maxScanBytes } = request;
    if (maxScanBytes === undefined) return;
    const refusal = scanRefusal(await this.#estimated(running, request), maxScanBytes);
    if (refusal !== undefined) throw refusal;
  }

  async #estimated(running: Running, request: DuckDbRequest): Promise<Estimate> {
    const { connection, signal } = running;
    const execute: Execute = (sql, take) => runInterruptibly(connection, sql, signal, take, true);
    const { result } = await this.#inSnapshot(running, request, execute, (query) =>
      this.#estimates.of(query, execute),
    );
    return result;
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#slices?.close();
  }
}

/** The key of a source's rows. Without sources, it is the usual one. */
export function keyOfStored({ sources }: Partial<Pick<Store, 'sources'>>, name: string): KeySql {
  const source = sources?.find((each) => each.name === name);
  return source === undefined ? usualKey : keySql(source);
}

/** Whether a query aggregates rows of a table. */
const isAggregate = memoized(
  (plan: Plan) =>
    plan.tables.length > 0 && nodesOf('resolved_aggregate_scan_node', statementOf(plan)).length > 0,
);

/** The memory that is released with a batch of columns: DuckDB's chunk, what was read of it, the batch, and its packed form. */
const copiesOfColumns = 4;

function aborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort');
}
