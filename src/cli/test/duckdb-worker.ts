import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import { emitExpression } from '../../engines/duckdb/emit/emit-query.ts';
import { emitContext } from '../../engines/duckdb/run/emit-context.ts';
import type { AnyNode } from '../../sql/resolved/node.ts';
import { branchPointsThatRun } from '../../tools/endpoint-tests/coverage/branches.ts';
import type { CoveredCall } from '../../tools/endpoint-tests/coverage/coverage.ts';
import { takenBranches } from '../../tools/endpoint-tests/coverage/coverage.ts';
import { withinQueryTime } from '../engine/interruptible.ts';
import type { CaseSurroundings } from './case-outcome.ts';
import { type CaseQuery, type CaseVerdict, caseOutcome, verdictOf } from './case-outcome.ts';
import { CaseStore } from './case-store.ts';
import type { ReadyCase } from './load-tests.ts';
import type { CaseWorker } from './run-tests.ts';

/** Runs cases on the embedded engine over a store of its own in memory, one at a time. */
export class DuckDbWorker implements CaseWorker {
  readonly #options: CaseSurroundings;
  readonly #cases: CaseStore;

  private constructor(options: CaseSurroundings, cases: CaseStore) {
    this.#options = options;
    this.#cases = cases;
  }

  static async open(options: CaseSurroundings): Promise<DuckDbWorker> {
    return new DuckDbWorker(options, await CaseStore.open(options.sources));
  }

  async run(
    endpoint: Endpoint,
    { test, rows }: ReadyCase,
    { withCoverage, signal }: { readonly withCoverage: boolean; readonly signal: AbortSignal },
  ): Promise<CaseVerdict> {
    const { queries, now } = this.#options;
    await this.#cases.use(rows, test.now ?? now);
    const timeoutMs = Math.min(this.#options.timeoutMs, timeoutMsOf(endpoint));
    let call: CoveredCall | undefined;
    const outcome = await withinQueryTime(timeoutMs, signal, (limited) =>
      caseOutcome(endpoint, test, {
        ...{ queries, signal: limited },
        run: async ({ given, ...query }) => {
          if (withCoverage) call = { test, given, branches: await this.#branches(query) };
          return this.#cases.engine.run({ ...query, signal: limited, timeoutMs });
        },
      }),
    );
    return { ...verdictOf(test, outcome), ...(call && { call }) };
  }

  #branches({ plan, parameters }: Omit<CaseQuery, 'given'>): Promise<ReadonlySet<string>> {
    return takenBranches(branchPointsThatRun(plan), async (conditions) => {
      const context = emitContext(plan, parameters, this.#cases.now);
      const connection = await this.#cases.store.connect();
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
    await this.#cases[Symbol.asyncDispose]();
  }
}
